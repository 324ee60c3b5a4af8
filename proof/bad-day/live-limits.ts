/** Live limits on card testing, in virtual time: ways around them, and a sale that must not look like an attack. */
import { duringSale } from '../card-testing/turned-against-a-shop.ts'
import { runWaysAround } from '../card-testing/ways-around.ts'
import type { Attack, Measured } from './attacked-server.ts'

const BUSY_SHOP = { honestPerHour: 1402, stolenPerHour: 639 }
const SALE_PER_HOUR = 2000

const waysAround = async (): Promise<Measured> =>
  Object.fromEntries(
    (await runWaysAround(BUSY_SHOP)).map(({ name, withoutChallenge }) => [
      `${name}: stolen cards without a challenge`,
      withoutChallenge,
    ]),
  )

const sale = async (): Promise<Measured> => {
  const { tried, paid, declined, minutesForced } = await duringSale(SALE_PER_HOUR)
  return {
    'a sale: minutes under a forced challenge': minutesForced,
    'a sale: honest tries refused': tried - paid - declined,
  }
}

export const liveLimits: readonly Attack[] = [
  { name: 'ways around the live limits', run: waysAround },
  { name: 'a sale', run: sale },
]
