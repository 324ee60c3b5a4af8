/** Attacks that turn a limit against a shop: honest payments beside them, and a sale that must not look like one. */
import { decidedOutcome } from '../harness/fake-three-ds-servers.ts'
import { DECLINED, withLimitedServer, type LimitedServer, type Outside } from './limited-server.ts'
import { insertHistory, isDeclined } from './ways-around.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const STARTS_PER_LINK = 20

/** Honest payments: counts how each of them ended, and of how many a challenge was demanded. */
const honestPayments = (server: LimitedServer) => {
  const counts = { tried: 0, paid: 0, declined: 0, challenged: 0 }
  const pay = async (outside: Outside): Promise<void> => {
    const { call, status, isChallengeDemanded } = await server.try({ outside })
    counts.tried += 1
    if (call === 'pay' && status === 200) counts.paid += 1
    if (call === 'pay' && status === 402) counts.declined += 1
    if (isChallengeDemanded) counts.challenged += 1
  }
  return { counts, pay }
}

/** Somebody starts and never pays: so many times, on links of twenty starts each. Answers the longest time to wait. */
const startOnly = async (server: LimitedServer, starts: number, from?: string): Promise<number> => {
  let longestWaitSeconds = 0
  let link = ''
  for (let start = 0; start < starts; start += 1) {
    if (start % STARTS_PER_LINK === 0) link = await server.newLink()
    const { retryAfter } = await server.try({ link, stopAfter: 'start', ...(from === undefined ? {} : { from }) })
    longestWaitSeconds = Math.max(longestWaitSeconds, retryAfter)
    // Strangers of many networks come one after another.
    if (from === undefined) server.clock.advance(20)
  }
  return longestWaitSeconds
}

/** Ten of each ten: those that a demanded challenge would refuse are among them. */
const FRICTIONLESS: readonly Outside[] = [
  ...Array.from({ length: 6 }, () => ({ issuer: decidedOutcome('Y') })),
  ...Array.from({ length: 2 }, () => ({ issuer: decidedOutcome('A', { eci: '06' }) })),
  ...Array.from({ length: 2 }, () => ({ isExempt: true }) as const),
]

/** Strangers start and never pay, from as many networks as starts, and ten honest shoppers pay at once and when they have left. */
export const afterStrangers = (starts: number) =>
  withLimitedServer(async (server) => {
    await startOnly(server, starts)
    const { counts, pay } = honestPayments(server)
    for (const outside of FRICTIONLESS) await pay(outside)
    server.clock.advance(10 * MINUTE_MS)
    for (const outside of FRICTIONLESS) await pay(outside)
    return counts
  })

/** Somebody starts from an address that others share, and never pays; another there pays at the same shop and at another one. */
export const behindSharedAddress = (starts: number) =>
  withLimitedServer(
    async (server) => {
      const from = '203.0.113.7'
      let longestWaitSeconds = await startOnly(server, starts, from)
      server.clock.advance(10 * MINUTE_MS)
      let [challenged, refused] = [0, 0]
      for (const merchant of ['tea', 'coffee']) {
        const ended = await server.try({ from, merchant })
        longestWaitSeconds = Math.max(longestWaitSeconds, ended.retryAfter)
        if (ended.status !== 200) refused += 1
        if (ended.isChallengeDemanded) challenged += 1
      }
      return { challenged, refused, longestWaitSeconds }
    },
    ['tea', 'coffee'],
  )

/** An issuer that never challenges, and answers Y or N, under a forced challenge that twelve stolen cards began. */
export const withIssuerThatNeverChallenges = (hours: number) =>
  withLimitedServer(async (server) => {
    const refusing = { issuer: decidedOutcome('N') }
    for (let stolen = 0; stolen < 12; stolen += 1) await server.try({ outside: refusing })
    const { counts, pay } = honestPayments(server)
    let minutesForced = 0
    const perMinute = 3
    for (let minute = 0; minute < hours * 60; minute += 1) {
      server.clock.advance(MINUTE_MS)
      if ((await server.forcedChallenges()) > 0) minutesForced += 1
      for (let shopper = 0; shopper < perMinute; shopper += 1) {
        // One honest card holder in thirty is refused by the issuer.
        if ((minute * perMinute + shopper) % 30 === 29) await server.try({ outside: refusing })
        else await pay({ issuer: decidedOutcome('Y') })
      }
    }
    return { ...counts, minutesForced }
  })

/** Payments of a shop before its sale. */
const USUAL_PER_HOUR = 2000

/** A shop with eight declines in a hundred, and a sale that triples its payments for an hour. */
export const duringSale = () =>
  withLimitedServer(async (server) => {
    await insertHistory(server, USUAL_PER_HOUR)
    const { counts, pay } = honestPayments(server)
    let minutesForced = 0
    for (let minute = 0; minute < 80; minute += 1) {
      const perMinute = Math.round((minute < 20 ? USUAL_PER_HOUR : 3 * USUAL_PER_HOUR) / 60)
      for (let shopper = 0; shopper < perMinute; shopper += 1) {
        await pay(isDeclined(counts.tried) ? { charge: DECLINED } : {})
        server.clock.advance(Math.floor(MINUTE_MS / perMinute))
      }
      if ((await server.forcedChallenges()) > 0) minutesForced += 1
      await server.sumHours()
    }
    return { ...counts, minutesForced }
  })
