/** Home in the proof of lists: what it reads of 90 days and of what needs a person among a million checkouts, on a calm and on a busy day. */
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
} from '../../server/store/reports/attention.ts'
import { createFigureReader, type ReadFigures } from '../../server/operations/read-figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import type { BenchDatabase } from '../filled-database/bench-database.ts'
import { countPagesOn } from '../filled-database/count-pages.ts'
import { MADE_AT, MEASURED_AT } from '../filled-database/filled-database.ts'
import { figureFaults } from '../promises/figures.ts'
import { scanIn } from './scans.ts'

const DAYS = 90
/** Begun today: on a calm day, and on the day of a shop with a million in 90 days. */
const CALM_DAY = 19
const FULL_DAY = 11_000

const RANGE = { from: startOfJstDay(MEASURED_AT) - (DAYS - 1) * DAY_MS, to: startOfJstDay(MEASURED_AT) + DAY_MS - 1 }

/** The copies are of one day: each is moved to one of the 88 days before it, by the milliseconds of its beginning. */
const SPREAD = (column: string): string => `${column} - (${column} % ${DAYS - 2}) * ${DAY_MS}`

const depsOf = (database: Database) => ({
  database,
  clock: { ...systemClock, now: () => MEASURED_AT },
  random: systemRandom,
  elapsed: () => 0,
})

const readerOf = (database: Database): ReadFigures => createFigureReader(depsOf(database), async () => undefined)

/** Sums all days as the worker does; fails where a row is not what ledger and attempts say. */
const sumAll = async (database: Database, scope: KeyScope): Promise<void> => {
  // Copies are made without a mark.
  await database.rows('DELETE FROM day_figures')
  await database.rows('UPDATE day_figures_progress SET summed_until = 0, summing_day = NULL, lease_until = 0')
  await sumShop(depsOf(database), scope)
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

/** Moves so many begun checkouts, with their charges, to today. */
const beginToday = async (bench: BenchDatabase, scope: KeyScope, count: number): Promise<void> => {
  const database = await bench.open()
  try {
    await database.rows(
      `UPDATE attempts SET started_at = $1 WHERE (merchant_id, order_code) IN (SELECT merchant_id, order_code FROM attempts
         WHERE merchant_id = $2 AND mode = 'test' ORDER BY started_at LIMIT ${count})`,
      MEASURED_AT,
      scope.merchantId,
    )
    await database.rows(
      `UPDATE ledger_lines SET booked_at = $1 WHERE (merchant_id, checkout_id) IN (SELECT merchant_id, checkout_id
         FROM attempts WHERE merchant_id = $2 AND mode = 'test' AND started_at = $1)`,
      MEASURED_AT,
      scope.merchantId,
    )
    if (bench.engine === 'PostgreSQL') await database.rows('ANALYZE')
  } finally {
    await database.close()
  }
}

/** What the first pages of the list of all checkouts read, of the length that a caller is given unasked, and of the longest. */
export interface FirstPages {
  readonly usual: number
  readonly longest: number
}

const MOST_TIMES = 3

/**
 * Fails where the figures of 90 days and what needs a person read more than three first pages, or a statement reads a whole table.
 * On a calm day, whose payments lie apart, three of the longest are the most; on a busy one, whose count is kept for a minute, it is
 * the second reading that is measured.
 */
export const measureFigures = async (bench: BenchDatabase, scope: KeyScope, first: FirstPages): Promise<Figures> => {
  await prepare(bench, scope)
  const home = async (database: Database, readFigures = readerOf(database)): Promise<void> => {
    await readFigures(scope, RANGE)
    await paymentsInDoubt(database, scope, MEASURED_AT)
    await refundsInDoubt(database, scope, MEASURED_AT)
    await heldCheckouts(database, scope)
    await disputesToAnswer(database, scope, MEASURED_AT)
  }
  const homeAgain = async (database: Database): Promise<void> => {
    const readFigures = readerOf(database)
    await home(database, readFigures)
    await home(database, readFigures)
  }
  /** `again`: of somebody who has seen home less than a minute ago. */
  const measure = async (day: string, most: number, again = false): Promise<number> => {
    const once = await countPagesOn(bench)((database) => home(database))
    const pages = again ? (await countPagesOn(bench)(homeAgain)) - once : once
    if (pages > most)
      throw new CommandError(`${bench.engine}: home on ${day} reads ${pages} pages; ${most} are the most`)
    const scan = await scanIn(bench, (database) => home(database))
    if (scan !== undefined) throw new CommandError(`${bench.engine}: home on ${day} scans: ${scan}`)
    return pages
  }
  const empty = await measure('a day without payments', MOST_TIMES * first.usual)
  await beginToday(bench, scope, CALM_DAY)
  const calm = await measure(`a day with ${CALM_DAY} payments`, MOST_TIMES * first.longest)
  await beginToday(bench, scope, FULL_DAY)
  const full = await measure(`a day with ${FULL_DAY} payments`, MOST_TIMES * first.usual, true)
  return {
    [`${bench.engine}: figuresOf90Days`]: empty,
    [`${bench.engine}: figuresOf90DaysWith${CALM_DAY}BegunToday`]: calm,
    [`${bench.engine}: figuresOf90DaysWith${FULL_DAY}BegunToday`]: full,
  }
}
