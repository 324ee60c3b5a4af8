/** Figures of a simulated run: sums what the worker has not summed yet, then compares every day with ledger and attempts. */
import { DAY_MS } from '#contract/jst.ts'
import { sumShop } from '../../server/background/sum-day-figures.ts'
import { systemClock, systemRandom } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { integer } from '../../server/store/engine/columns.ts'
import { addNewShops } from '../../server/store/reports/day-figure-progress.ts'
import { TEA_MERCHANT } from '../harness/test-merchants.ts'
import { figureFaults } from '../promises/figures.ts'

const SHOP = { merchantId: TEA_MERCHANT.id, mode: 'test' } as const

/** After every day of a run, and after every lease of a worker that has died. */
const LATER = Date.parse('2026-11-16T00:00:00Z') + 30 * DAY_MS

/** `daysSummed`: by the worker, while the run went on. Their rows change only where something has marked them. */
export const figureFaultsOf = async (
  database: Database,
): Promise<{ daysSummed: number; faults: readonly string[] }> => {
  const [row = {}] = await database.rows('SELECT COUNT(*) AS days FROM day_figures')
  await addNewShops(database)
  await sumShop({ database, clock: { ...systemClock, now: () => LATER }, random: systemRandom }, SHOP)
  return { daysSummed: integer(row, 'days'), faults: await figureFaults(database, SHOP) }
}
