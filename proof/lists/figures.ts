/** Home in the proof of lists: what it reads of 90 days and of what needs a person among a million checkouts, and what today adds to it. */
import { DAY_MS, startOfJstDay } from '#contract/jst.ts'
import { sumShop } from '../../server/background/sum-day-figures.ts'
import { systemClock, systemRandom } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { KeyScope } from '../../server/store/merchant/keys.ts'
import {
  disputesToAnswer,
  heldCheckouts,
  paymentsInDoubt,
  refundsInDoubt,
  unsentMails,
} from '../../server/store/reports/attention.ts'
import { readFigures } from '../../server/store/reports/day-figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import type { BenchDatabase } from '../filled-database/bench-database.ts'
import { countPagesOn } from '../filled-database/count-pages.ts'
import { MADE_AT, MEASURED_AT } from '../filled-database/filled-database.ts'
import { figureFaults } from '../promises/figures.ts'
import { scanIn } from './scans.ts'

const DAYS = 90
/** Begun today, and counted while the shop waits. */
const TODAY = 100

const RANGE = { from: startOfJstDay(MEASURED_AT) - (DAYS - 1) * DAY_MS, to: startOfJstDay(MEASURED_AT) + DAY_MS - 1 }

/** The copies are of one day: each is moved to one of the 88 days before it, by the milliseconds of its beginning. */
const SPREAD = (column: string): string => `${column} - (${column} % ${DAYS - 2}) * ${DAY_MS}`

/** Sums all days as the worker does; fails where a row is not what ledger and attempts say. */
const sumAll = async (database: Database, scope: KeyScope): Promise<void> => {
  // Copies are made without a mark.
  await database.rows('DELETE FROM day_figures')
  await database.rows('UPDATE day_figures_progress SET summed_until = 0, summing_day = NULL, lease_until = 0')
  await sumShop({ database, clock: { ...systemClock, now: () => MEASURED_AT }, random: systemRandom }, scope)
  const [wrong] = await figureFaults(database, scope)
  if (wrong !== undefined) throw new CommandError(wrong)
}

const prepare = async (bench: BenchDatabase, scope: KeyScope): Promise<void> => {
  const database = await bench.open()
  try {
    await database.rows(`UPDATE attempts SET started_at = ${SPREAD('started_at')} WHERE started_at >= $1`, MADE_AT)
    await database.rows(`UPDATE ledger_lines SET booked_at = ${SPREAD('booked_at')} WHERE booked_at >= $1`, MADE_AT)
    await sumAll(database, scope)
    if (bench.engine === 'PostgreSQL') await database.rows('VACUUM ANALYZE')
  } finally {
    await database.close()
  }
}

/** Moves a hundred begun checkouts, with their charges, to today. */
const beginToday = async (bench: BenchDatabase, scope: KeyScope): Promise<void> => {
  const database = await bench.open()
  try {
    await database.rows(
      `UPDATE attempts SET started_at = $1 WHERE (merchant_id, order_code) IN (SELECT merchant_id, order_code FROM attempts
         WHERE merchant_id = $2 AND mode = 'test' ORDER BY started_at LIMIT ${TODAY})`,
      MEASURED_AT,
      scope.merchantId,
    )
    await database.rows(
      `UPDATE ledger_lines SET booked_at = $1 WHERE (merchant_id, checkout_id) IN (SELECT merchant_id, checkout_id
         FROM attempts WHERE merchant_id = $2 AND mode = 'test' AND started_at = $1)`,
      MEASURED_AT,
      scope.merchantId,
    )
  } finally {
    await database.close()
  }
}

/** Fails where the figures of 90 days and what needs a person read more than `most` pages, or a statement reads a whole table. */
export const measureFigures = async (bench: BenchDatabase, scope: KeyScope, most: number): Promise<Figures> => {
  await prepare(bench, scope)
  const home = async (database: Database): Promise<void> => {
    await readFigures(database, scope, RANGE)
    await paymentsInDoubt(database, scope, MEASURED_AT)
    await refundsInDoubt(database, scope, MEASURED_AT)
    await heldCheckouts(database, scope)
    await disputesToAnswer(database, scope, MEASURED_AT)
    await unsentMails(database, scope, MEASURED_AT - DAYS * DAY_MS)
  }
  const pages = await countPagesOn(bench)(home)
  if (pages > most)
    throw new CommandError(`${bench.engine}: figures of ${DAYS} days read ${pages} pages; ${most} are the most`)
  await beginToday(bench, scope)
  const busy = await countPagesOn(bench)(home)
  const scan = await scanIn(bench, home)
  if (scan !== undefined) throw new CommandError(`${bench.engine}: figures of days scan: ${scan}`)
  return {
    [`${bench.engine}: figuresOf90Days`]: pages,
    [`${bench.engine}: figuresOf90DaysWith100BegunToday`]: busy,
  }
}
