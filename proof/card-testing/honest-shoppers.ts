/** Honest shoppers: each pays an invoice of its own, with up to three declines before; nobody may be refused. */
import { liveCardNumber } from '../harness/cards.ts'
import { seededRandom, type SeededRandom } from '../harness/seeded-random.ts'
import { DECLINED, withLimitedServer, type LimitedServer } from './limited-server.ts'

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS
/** They come over half a day, most of them from few addresses. */
const HOURS = 12
const CARRIER_ADDRESSES = 3
const OFFICE_ADDRESSES = 60

interface Shopper {
  readonly from: string
  readonly number: string
  readonly mistakes: number
  readonly pays: boolean
  link: string | null
  tries: number
}

const addressOf = (random: SeededRandom, shopper: number): string => {
  if (random.chance(0.6)) return `198.51.100.${random.between(1, CARRIER_ADDRESSES)}`
  if (random.chance(0.75)) return `203.0.113.${random.between(1, OFFICE_ADDRESSES)}`
  return `2001:db8:${shopper.toString(16)}::1`
}

/** Most make no mistake, some up to three; a few give up after theirs. */
const shopperOf = (random: SeededRandom, place: number): Shopper => {
  const mistakes = random.chance(0.7) ? 0 : random.chance(0.65) ? 1 : random.chance(0.6) ? 2 : 3
  const pays = mistakes === 0 || random.chance(0.9)
  return {
    from: addressOf(random, place),
    number: liveCardNumber(900_000 + place),
    mistakes,
    pays,
    link: null,
    tries: 0,
  }
}

interface Visit {
  at: number
  readonly shopper: Shopper
}

/** One try of a shopper; `problem` says where it did not end as it should. */
const tryOnce = async (
  server: LimitedServer,
  { from, number, mistakes, tries, link }: Shopper,
): Promise<{ readonly problem: string | null; readonly isChallengeDemanded: boolean }> => {
  const isMistake = tries < mistakes
  const outside = isMistake ? { charge: DECLINED } : {}
  const { call, status, isChallengeDemanded } = await server.try({ from, number, link: link ?? '', outside })
  const expected = isMistake ? 402 : 200
  const problem = call === 'pay' && status === expected ? null : `${from}, try ${tries + 1}: ${call} ${status}`
  return { problem, isChallengeDemanded }
}

export const runHonestShoppers = (count: number, seed: number) =>
  withLimitedServer(async (server) => {
    const random = seededRandom(seed)
    const begin = server.clock.now()
    const visits: Visit[] = Array.from({ length: count }, (_, place) => ({
      at: begin + random.between(0, HOURS * HOUR_MS),
      shopper: shopperOf(random, place),
    })).toSorted((a, b) => a.at - b.at)
    const byAddress = new Map<string, number>()
    const refusals: string[] = []
    let hoursSummed = 0
    // `challenged` are tries of which a challenge was demanded.
    let [tries, mistakes, paid, challenged] = [0, 0, 0, 0]
    for (let visit = visits.shift(); visit !== undefined; visit = visits.shift()) {
      const { at, shopper } = visit
      server.clock.advance(Math.max(0, at - server.clock.now()))
      const hour = Math.floor((server.clock.now() - begin) / HOUR_MS)
      if (hour > hoursSummed) await server.sumHours()
      hoursSummed = hour
      shopper.link ??= await server.newLink()
      const { problem, isChallengeDemanded } = await tryOnce(server, shopper)
      if (isChallengeDemanded) challenged += 1
      if (problem !== null) refusals.push(problem)
      tries += 1
      byAddress.set(shopper.from, (byAddress.get(shopper.from) ?? 0) + 1)
      const wasMistake = shopper.tries < shopper.mistakes
      shopper.tries += 1
      if (!wasMistake) paid += 1
      else mistakes += 1
      const goesOn = wasMistake && (shopper.pays || shopper.tries < shopper.mistakes)
      if (!goesOn) continue
      // Looks at the card again, or fetches another one.
      const next = { at: at + random.between(20, 120) * SECOND_MS, shopper }
      const place = visits.findIndex((later) => later.at > next.at)
      visits.splice(place === -1 ? visits.length : place, 0, next)
    }
    const busiestAddress = Math.max(...byAddress.values())
    return { shoppers: count, tries, mistakes, paid, busiestAddress, challenged, refusals }
  })
