/** Ways around the limits: how many cards were asked about without a challenge, by bots that hide behind something. */
import { DECLINED, newCard, withLimitedServer, type LimitedServer, type Try } from './limited-server.ts'

const SECOND_MS = 1000
const HOUR_MS = 3600 * SECOND_MS

interface WayAround {
  readonly name: string
  readonly tried: number
  readonly withoutChallenge: number
}

/** Whether a stolen card was charged without a challenge. */
const tryStolen = async (server: LimitedServer, where: Pick<Try, 'from' | 'merchant'>): Promise<boolean> => {
  const before = server.chargesAsked().total
  const ended = await server.try({ ...where, isBot: true, outside: { charge: DECLINED } })
  return ended.isChallengeDemanded ? false : server.chargesAsked().total > before
}

/** Behind payments with one card of its own: five of them to four stolen cards, from one network or from as many as cards. */
const behindOwnPayments = (networks: 'one network' | 'many networks'): Promise<WayAround> =>
  withLimitedServer(async (server) => {
    const own = newCard()
    const where = networks === 'one network' ? { from: '203.0.113.7' } : {}
    let withoutChallenge = 0
    const tried = 300
    for (let stolen = 0; stolen < tried; stolen += 1) {
      for (let paid = stolen % 4 === 0 ? 2 : 1; paid > 0; paid -= 1) await server.try({ ...where, number: own })
      if (await tryStolen(server, where)) withoutChallenge += 1
      server.clock.advance(7 * SECOND_MS)
    }
    return { name: `behind payments with one own card, ${networks}`, tried, withoutChallenge }
  })

/** One /48 with a /64 for each card, in another /56 each time, over five shops. */
const withinOneSite = (): Promise<WayAround> => {
  const merchants = Array.from({ length: 5 }, (_, place) => `shop${place}`)
  return withLimitedServer(async (server) => {
    let withoutChallenge = 0
    const tried = 1025
    for (let stolen = 0; stolen < tried; stolen += 1) {
      const network = ((stolen * 256) % 0x10000) + Math.floor(stolen / 256)
      const from = `2001:db8:48:${network.toString(16)}::1`
      if (await tryStolen(server, { from, merchant: `shop${stolen % merchants.length}` })) withoutChallenge += 1
      server.clock.advance(200)
    }
    return { name: 'from one IPv6 /48 at five shops', tried, withoutChallenge }
  }, merchants)
}

/** Cards an hour at a busy shop. */
const BUSY = { honest: 1402, stolen: 639 }

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
const behindBusyShop = (): Promise<WayAround> =>
  withLimitedServer(async (server) => {
    await insertHistory(server, BUSY.honest)
    const events = [
      ...Array.from({ length: BUSY.honest }, (_, place) => ({ at: place / BUSY.honest, place, isStolen: false })),
      ...Array.from({ length: BUSY.stolen }, (_, place) => ({ at: place / BUSY.stolen, place, isStolen: true })),
    ].toSorted((one, other) => one.at - other.at)
    const begin = server.clock.now()
    let [paid, unpaid] = [0, 0]
    for (const { at, place, isStolen } of events) {
      server.clock.advance(begin + Math.floor(at * (HOUR_MS - SECOND_MS)) - server.clock.now())
      if (isStolen) {
        if (await tryStolen(server, {})) unpaid += 1
        continue
      }
      const ended = await server.try({ outside: isDeclined(place) ? { charge: DECLINED } : {} })
      if (ended.call !== 'pay') throw new Error(`an honest shopper was stopped at ${ended.call}: ${ended.status}`)
      if (ended.status === 200) paid += 1
      else if (!ended.isChallengeDemanded) unpaid += 1
    }
    const usual = (paid * 0.08) / 0.92
    return {
      name: `beside ${BUSY.honest} payments an hour of a busy shop, beyond its usual`,
      tried: BUSY.stolen,
      withoutChallenge: Math.ceil(unpaid - usual),
    }
  })

export const runWaysAround = async (): Promise<readonly WayAround[]> => [
  await behindOwnPayments('one network'),
  await behindOwnPayments('many networks'),
  await behindBusyShop(),
  await withinOneSite(),
]
