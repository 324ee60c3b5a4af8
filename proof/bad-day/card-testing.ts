/** Forced challenge: strangers' starts must not turn it against the honest shoppers of a shop. */
import { duringSale } from '../card-testing/turned-against-a-shop.ts'
import { runWaysAround } from '../card-testing/ways-around.ts'
import { CARDS } from '../harness/shop-client.ts'
import { countPaid, withAttackedServer, type Attack, type Measured } from './attacked-server.ts'

/** As many as a link allows. */
const STARTS_OF_A_LINK = 20
const HONEST = 10
/** Of as many addresses as a stranger has, in turn. */
const ADDRESSES = 200

/** So many starts by strangers that nobody goes on with; then ten shoppers pay without a challenge. */
const strangers = (starts: number, report: (line: string) => void): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const shop = server.shop()
    const links = await Promise.all(Array.from({ length: Math.ceil(starts / STARTS_OF_A_LINK) }, () => shop.create()))
    for (let each = 0; each < starts; each += links.length)
      await Promise.all(
        links.slice(0, starts - each).map((link, place) => {
          const stranger = (each + place) % ADDRESSES
          const from = `2001:db8:${stranger.toString(16)}::1`
          return shop.start(link, { number: CARDS['without a challenge'], from })
        }),
      )
    const paid = await countPaid(shop, HONEST, report, CARDS['without a challenge'])
    return { [`honest payments of 10 after ${starts} starts by strangers`]: paid }
  })

/** One address of a carrier: a stranger behind it starts at one shop; others there start at another. A challenge may be asked of them. */
const sharedAddress = (): Promise<Measured> =>
  withAttackedServer({}, async (server) => {
    const shop = server.shop()
    const stranger = { number: CARDS['without a challenge'], from: '203.0.113.7' }
    const links = await Promise.all(Array.from({ length: 6 }, () => shop.create()))
    for (let each = 0; each < 110; each += 1) await shop.start(links[each % links.length] ?? '', stranger)
    const other = await server.addShop('other')
    let refused = 0
    for (let each = 0; each < HONEST; each += 1)
      if ((await other.start(await other.create(), stranger)).status !== 200) refused += 1
    return { 'starts of 10 refused at another shop from the address of a stranger': refused }
  })

/** Ways around the live limits, in virtual time. */
const waysAround = async (): Promise<Measured> =>
  Object.fromEntries(
    (await runWaysAround()).map(({ name, withoutChallenge }) => [
      `${name}: stolen cards without a challenge`,
      withoutChallenge,
    ]),
  )

/** A sale in virtual time, which must not look like an attack. */
const sale = async (): Promise<Measured> => {
  const { tried, paid, declined, minutesForced } = await duringSale()
  return {
    'a sale: minutes under a forced challenge': minutesForced,
    'a sale: honest tries refused': tried - paid - declined,
  }
}

export const cardTesting: readonly Attack[] = [
  ...[24, 240, 2400].map((starts) => ({
    name: `${starts} starts by strangers`,
    run: (report: (line: string) => void) => strangers(starts, report),
  })),
  { name: 'shared address', run: sharedAddress },
  { name: 'ways around the live limits', run: waysAround },
  { name: 'a sale', run: sale },
]
