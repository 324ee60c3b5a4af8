/** Attacks that turn a limit against a shop: honest payments beside them, and a sale that must not look like one. */
import { decidedOutcome } from '../harness/fake-three-ds-servers.ts'
import { DECLINED, newCard, newNetwork, openLimitedServer, type LimitedServer, type Outside } from './limited-server.ts'
import { insertHistory, isDeclined } from './ways-around.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const STARTS_PER_LINK = 20

/** Honest payments beside somebody who turns a limit against their shop. */
export interface HonestPayments {
  readonly tried: number
  readonly paid: number
  /** Of which a challenge was demanded. */
  readonly challenged: number
}

const payAsUsual = async (server: LimitedServer, kinds: readonly Outside[]): Promise<HonestPayments> => {
  let [paid, challenged] = [0, 0]
  for (const outside of kinds) {
    const ended = await server.try({ from: newNetwork(), link: await server.newLink(), number: newCard(), outside })
    if (ended.call === 'pay' && ended.status === 200) paid += 1
    if (ended.isChallengeDemanded) challenged += 1
  }
  return { tried: kinds.length, paid, challenged }
}

/** Ten of each ten: those that a demanded challenge would refuse are among them. */
const FRICTIONLESS: readonly Outside[] = [
  ...Array.from({ length: 6 }, () => ({ issuer: decidedOutcome('Y') })),
  ...Array.from({ length: 2 }, () => ({ issuer: decidedOutcome('A', { eci: '06' }) })),
  ...Array.from({ length: 2 }, () => ({ isExempt: true }) as const),
]

/** Strangers start and never pay, from as many networks as starts, and ten honest shoppers pay at once and when they have left. */
export const afterStrangers = async (starts: number): Promise<HonestPayments> => {
  const server = await openLimitedServer()
  let link = ''
  for (let start = 0; start < starts; start += 1) {
    if (start % STARTS_PER_LINK === 0) link = await server.newLink()
    await server.try({ from: newNetwork(), link, number: newCard(), stopAfter: 'start' })
    server.clock.advance(20)
  }
  const atOnce = await payAsUsual(server, FRICTIONLESS)
  server.clock.advance(10 * MINUTE_MS)
  const later = await payAsUsual(server, FRICTIONLESS)
  await server.stop()
  return {
    tried: atOnce.tried + later.tried,
    paid: atOnce.paid + later.paid,
    challenged: atOnce.challenged + later.challenged,
  }
}

export interface SharedAddress {
  /** Of another shopper there, at the same shop and at another one. */
  readonly paid: number
  readonly challenged: number
  readonly refused: number
  /** The longest time that anybody there was told to wait. */
  readonly longestWaitSeconds: number
}

/** Somebody starts from an address that others share, and never pays. */
export const behindSharedAddress = async (starts: number): Promise<SharedAddress> => {
  const server = await openLimitedServer(['tea', 'coffee'])
  const from = '203.0.113.7'
  let longestWaitSeconds = 0
  let link = ''
  for (let start = 0; start < starts; start += 1) {
    if (start % STARTS_PER_LINK === 0) link = await server.newLink()
    const { retryAfter } = await server.try({ from, link, number: newCard(), stopAfter: 'start' })
    longestWaitSeconds = Math.max(longestWaitSeconds, retryAfter)
  }
  server.clock.advance(10 * MINUTE_MS)
  let [paid, challenged, refused] = [0, 0, 0]
  for (const merchant of ['tea', 'coffee']) {
    const ended = await server.try({ from, merchant, link: await server.newLink(merchant), number: newCard() })
    longestWaitSeconds = Math.max(longestWaitSeconds, ended.retryAfter)
    if (ended.status === 200) paid += 1
    else refused += 1
    if (ended.isChallengeDemanded) challenged += 1
  }
  await server.stop()
  return { paid, challenged, refused, longestWaitSeconds }
}

export interface NeverChallenging extends HonestPayments {
  readonly minutesForced: number
}

/** An issuer that never challenges, and answers Y or N, under a forced challenge that twelve stolen cards began. */
export const withIssuerThatNeverChallenges = async (hours: number): Promise<NeverChallenging> => {
  const server = await openLimitedServer()
  for (let stolen = 0; stolen < 12; stolen += 1) {
    const outside = { issuer: decidedOutcome('N') }
    await server.try({ from: newNetwork(), link: await server.newLink(), number: newCard(), outside })
  }
  let [tried, paid, challenged, minutesForced] = [0, 0, 0, 0]
  const perMinute = 3
  for (let minute = 0; minute < hours * 60; minute += 1) {
    server.clock.advance(MINUTE_MS)
    if ((await server.forcedChallenges()) > 0) minutesForced += 1
    for (let shopper = 0; shopper < perMinute; shopper += 1) {
      // One honest card holder in thirty is refused by the issuer.
      const isRefused = (minute * perMinute + shopper) % 30 === 29
      const issuer = decidedOutcome(isRefused ? 'N' : 'Y')
      const how = { from: newNetwork(), link: await server.newLink(), number: newCard() }
      const ended = await server.try({ ...how, outside: { issuer } })
      if (isRefused) continue
      tried += 1
      if (ended.status === 200) paid += 1
      if (ended.isChallengeDemanded) challenged += 1
    }
  }
  await server.stop()
  return { tried, paid, challenged, minutesForced }
}

export interface Sale extends HonestPayments {
  readonly declined: number
  readonly minutesForced: number
}

/** A shop with eight declines in a hundred, and a sale that triples its payments for an hour. */
export const duringSale = async (perHour: number): Promise<Sale> => {
  const server = await openLimitedServer()
  await insertHistory(server, perHour)
  let [tried, paid, declined, challenged, minutesForced] = [0, 0, 0, 0, 0]
  for (let minute = 0; minute < 80; minute += 1) {
    const perMinute = Math.round((minute < 20 ? perHour : 3 * perHour) / 60)
    for (let shopper = 0; shopper < perMinute; shopper += 1) {
      const outside = isDeclined(tried) ? { charge: DECLINED } : {}
      const ended = await server.try({ from: newNetwork(), link: await server.newLink(), number: newCard(), outside })
      tried += 1
      if (ended.status === 200) paid += 1
      if (ended.status === 402) declined += 1
      if (ended.isChallengeDemanded) challenged += 1
      server.clock.advance(Math.floor(MINUTE_MS / perMinute))
    }
    if ((await server.forcedChallenges()) > 0) minutesForced += 1
    await server.sumHours()
  }
  await server.stop()
  return { tried, paid, declined, challenged, minutesForced }
}
