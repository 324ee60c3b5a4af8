/** Figures of a simulated run: sums what the worker has not summed yet, then compares every day with ledger and attempts. */
import { DAY_MS } from '#contract/jst.ts'
import { CLOSED_AFTER_MS } from '#payment/day-figures.ts'
import { sumShop } from '../../server/background/sum-day-figures.ts'
import { systemClock, systemRandom } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { integer } from '../../server/store/engine/columns.ts'
import { addNewShops } from '../../server/store/reports/shops-to-sum.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { figureFaults } from '../promises/figures.ts'

const SHOP = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const

/**
 * Sums the first day of a run while its payments go on, as a worker would half an hour later:
 * what ends from now on comes late.
 * All that was written with a time of that day is stored: no virtual time passes within a transaction.
 */
export const sumFirstDay = async (database: Database, now: number): Promise<void> => {
  await addNewShops(database)
  const clock = { ...systemClock, now: () => now + CLOSED_AFTER_MS }
  await sumShop({ database, clock, random: systemRandom }, SHOP)
}

/** After every day of a run, and after every lease of a worker that has died. */
const LATER = Date.parse('2026-11-16T00:00:00Z') + 30 * DAY_MS

/** `daysSummed`: by the worker, while the run went on. Their rows change only where something has marked them. */
export const figureFaultsOf = async (
  database: Database,
): Promise<{ daysSummed: number; faults: readonly string[] }> => {
  const [row = {}] = await database.rows('SELECT COUNT(*) AS days FROM day_figures')
  await addNewShops(database)
  await sumShop({ database, clock: { ...systemClock, now: () => LATER }, random: systemRandom }, SHOP)
  const faults = await figureFaults(database, SHOP)
  return { daysSummed: integer(row, 'days'), faults }
}
