/** Day figures by hand: marks closed days so that they are summed again, and compares their rows with ledger and attempts. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { differingFigures, NO_FIGURES } from '#payment/day-figures.ts'
import type { Instant } from '#contract/jst.ts'
import type { Database } from '../store/engine/database.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { daysWithFigures, isLate, markLate, readProgress } from '../store/reports/day-figure-progress.ts'
import { readFigureRows } from '../store/reports/day-figure-rows.ts'
import { sumDay } from '../store/reports/day-figures.ts'
import type { TimeRange } from '../store/reports/movements.ts'

/** Every summed day of the range on which something moved or began, or of which there is a row. */
const summedDays = async function* (database: Database, scope: KeyScope, range: TimeRange): AsyncGenerator<Instant> {
  const { summedUntil } = await readProgress(database, scope)
  yield* daysWithFigures(database, scope, range.from, Math.min(range.to + 1, summedUntil))
}

/** Marks all summed days of a range. Whoever sums next sums them again. Answers how many. */
export const markDays = async (database: Database, scope: KeyScope, range: TimeRange): Promise<number> => {
  let marked = 0
  for await (const day of summedDays(database, scope, range)) {
    await markLate(database, scope, day)
    marked += 1
  }
  return marked
}

/** A day whose row is not what ledger and attempts say. */
export interface WrongDay extends KeyScope {
  readonly day: Instant
  /** The names of the figures that differ. */
  readonly differing: readonly string[]
}

export interface CheckedDays {
  readonly checked: number
  /** Something came late, and the worker has not summed them again yet. */
  readonly waiting: number
  readonly wrong: readonly WrongDay[]
}

/** A day may be summed again between two readings; then it is read once more. */
const READINGS = 3

const checkDay = async (database: Database, scope: KeyScope, day: Instant): Promise<readonly string[] | 'waiting'> => {
  let differing: string[] = []
  for (let reading = 0; reading < READINGS; reading += 1) {
    const row = (await readFigureRows(database, scope, { from: day, to: day })).get(day)
    differing = differingFigures(row ?? NO_FIGURES, (await sumDay(database, scope, day, nextTurn)).figures)
    if (differing.length === 0) return []
    if (await isLate(database, scope, day)) return 'waiting'
  }
  return differing
}

/** Compares every summed day of a range. Payments may go on meanwhile. */
export const checkDays = async (database: Database, scope: KeyScope, range: TimeRange): Promise<CheckedDays> => {
  let [checked, waiting] = [0, 0]
  const wrong: WrongDay[] = []
  for await (const day of summedDays(database, scope, range)) {
    const differing = await checkDay(database, scope, day)
    checked += 1
    if (differing === 'waiting') waiting += 1
    else if (differing.length > 0) wrong.push({ ...scope, day, differing })
  }
  return { checked, waiting, wrong }
}
