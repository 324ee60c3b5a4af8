/** Ways around the limits: how many cards were asked about without a challenge, by bots that hide behind something. */
import { DECLINED, newCard, newNetwork, openLimitedServer, type LimitedServer } from './limited-server.ts'

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS

export interface WayAround {
  readonly name: string
  readonly tried: number
  readonly withoutChallenge: number
}

const tryStolen = async (server: LimitedServer, from: string, merchant = 'tea'): Promise<boolean> => {
  const link = await server.newLink(merchant)
  const before = server.chargesAsked().total
  const how = { from, merchant, link, number: newCard() }
  const ended = await server.try({ ...how, isBot: true, outside: { charge: DECLINED } })
  return ended.isChallengeDemanded ? false : server.chargesAsked().total > before
}

/** Behind payments with one card of its own: five of them to four stolen cards, from one network or from as many as cards. */
const behindOwnPayments = async (networks: 'one network' | 'many networks'): Promise<WayAround> => {
  const server = await openLimitedServer()
  const own = newCard()
  const from = (): string => (networks === 'one network' ? '203.0.113.7' : newNetwork())
  let withoutChallenge = 0
  const tried = 300
  for (let stolen = 0; stolen < tried; stolen += 1) {
    for (let paid = stolen % 4 === 0 ? 2 : 1; paid > 0; paid -= 1)
      await server.try({ from: from(), link: await server.newLink(), number: own })
    if (await tryStolen(server, from())) withoutChallenge += 1
    server.clock.advance(7 * SECOND_MS)
  }
  await server.stop()
  return { name: `behind payments with one own card, ${networks}`, tried, withoutChallenge }
}

/** One /48 with a /64 for each card, in another /56 each time, over five shops. */
const withinOneSite = async (): Promise<WayAround> => {
  const merchants = Array.from({ length: 5 }, (_, place) => `shop${place}`)
  const server = await openLimitedServer(merchants)
  let withoutChallenge = 0
  const tried = 1025
  for (let stolen = 0; stolen < tried; stolen += 1) {
    const network = ((stolen * 256) % 0x10000) + Math.floor(stolen / 256)
    const from = `2001:db8:48:${network.toString(16)}::1`
    if (await tryStolen(server, from, merchants[stolen % merchants.length])) withoutChallenge += 1
    server.clock.advance(200)
  }
  await server.stop()
  return { name: 'from one IPv6 /48 at five shops', tried, withoutChallenge }
}

export interface BusyShop {
  readonly honestPerHour: number
  readonly stolenPerHour: number
}

/** What a shop of this size has had for seven days: eight in a hundred cards are not paid with. */
export const insertHistory = async ({ database, clock }: LimitedServer, perHour: number): Promise<void> => {
  const now = clock.now()
  const hour = now - (now % HOUR_MS)
  for (let back = 2; back < 7 * 24; back += 1)
    await database.rows(
      'INSERT INTO shop_hours (merchant_id, mode, hour, paid, unpaid) VALUES ($1, $2, $3, $4, $5)',
      'tea-id',
      'live',
      hour - back * HOUR_MS,
      Math.round(perHour * 0.92),
      Math.round(perHour * 0.08),
    )
}

/** Every so many honest payments one is declined: eight in a hundred, at no regular distance. */
export const isDeclined = (place: number): boolean => (place * 37) % 100 < 8

/** Beside the payments of a busy shop for an hour, from as many networks as cards. Answers what is beyond the usual. */
const behindBusyShop = async ({ honestPerHour, stolenPerHour }: BusyShop): Promise<WayAround> => {
  const server = await openLimitedServer()
  await insertHistory(server, honestPerHour)
  const events = [
    ...Array.from({ length: honestPerHour }, (_, place) => ({ at: place / honestPerHour, place, isStolen: false })),
    ...Array.from({ length: stolenPerHour }, (_, place) => ({ at: place / stolenPerHour, place, isStolen: true })),
  ].toSorted((one, other) => one.at - other.at)
  const begin = server.clock.now()
  let [paid, unpaid] = [0, 0]
  for (const { at, place, isStolen } of events) {
    server.clock.advance(begin + Math.floor(at * (HOUR_MS - SECOND_MS)) - server.clock.now())
    if (isStolen) {
      if (await tryStolen(server, newNetwork())) unpaid += 1
      continue
    }
    const outside = isDeclined(place) ? { charge: DECLINED } : {}
    const ended = await server.try({ from: newNetwork(), link: await server.newLink(), number: newCard(), outside })
    if (ended.call !== 'pay') throw new Error(`an honest shopper was stopped at ${ended.call}: ${ended.status}`)
    if (ended.status === 200) paid += 1
    else if (!ended.isChallengeDemanded) unpaid += 1
  }
  await server.stop()
  const usual = (paid * 0.08) / 0.92
  return {
    name: `beside ${honestPerHour} payments an hour of a busy shop, beyond its usual`,
    tried: stolenPerHour,
    withoutChallenge: Math.ceil(unpaid - usual),
  }
}

export const runWaysAround = async (busy: BusyShop): Promise<readonly WayAround[]> => [
  await behindOwnPayments('one network'),
  await behindOwnPayments('many networks'),
  await behindBusyShop(busy),
  await withinOneSite(),
]
