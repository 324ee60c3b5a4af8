/** Reads figures of days: stored ones, and counts of all other days, of which a long one is kept for a minute. */
import { DAY_MS, startOfJstDay, type Instant } from '#contract/jst.ts'
import { isKept, KEPT_MS, NO_FIGURES, type DayFigures } from '#payment/day-figures.ts'
import type { Dependencies } from '../dependencies.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { nextMovedDay } from '../store/reports/day-figure-progress.ts'
import { readStoredDays, sumDay } from '../store/reports/day-figures.ts'
import type { NextPiece, TimeRange } from '../store/reports/movements.ts'

export interface FiguresOfDay extends DayFigures {
  /** The first millisecond of the day in Japan. */
  readonly day: Instant
  /** When the count began, where it was made for an earlier reading. Null: the day was summed by the worker, or counted now. */
  readonly countedAt: Instant | null
}

/** Every day of the range, also one without anything. */
export type ReadFigures = (scope: KeyScope, range: TimeRange) => Promise<readonly FiguresOfDay[]>

interface Count {
  readonly figures: Promise<DayFigures>
  readonly countedAt: Instant
  readonly startedAt: number
}

/**
 * Whoever asks while a day is counted waits for the same count: 28,000 payments of today cost a second of the processor, and a
 * caller asks again at once.
 */
export const createFigureReader = (
  { database, clock, elapsed }: Pick<Dependencies, 'database' | 'clock' | 'elapsed'>,
  nextPiece: NextPiece,
): ReadFigures => {
  /** The oldest first. */
  const counts = new Map<string, Count>()

  const forgetOld = (): void => {
    for (const [name, { startedAt }] of counts) {
      if (elapsed() - startedAt < KEPT_MS) return
      counts.delete(name)
    }
  }
  const count = async (name: string, scope: KeyScope, day: Instant): Promise<DayFigures> => {
    let rowsRead = 0
    try {
      const sum = await sumDay(database, scope, day, nextPiece)
      rowsRead = sum.rowsRead
      return sum.figures
    } finally {
      // Also after an error, which is told to those who wait now, and to nobody else.
      if (!isKept(rowsRead)) counts.delete(name)
    }
  }
  const countOnce = async (scope: KeyScope, day: Instant): Promise<FiguresOfDay> => {
    forgetOld()
    const name = `${scope.merchantId} ${scope.mode} ${day}`
    const known = counts.get(name)
    if (known !== undefined) return { day, ...(await known.figures), countedAt: known.countedAt }
    const figures = count(name, scope, day)
    counts.set(name, { figures, countedAt: clock.now(), startedAt: elapsed() })
    return { day, ...(await figures), countedAt: null }
  }

  return async (scope, range) => {
    const days: FiguresOfDay[] = []
    /** Of many days without anything, as of a new shop, none is counted. */
    let nextMoved = Number.NEGATIVE_INFINITY
    const end = startOfJstDay(range.to) + DAY_MS
    for (const [day, stored] of await readStoredDays(database, scope, range)) {
      if (stored === null && nextMoved < day)
        nextMoved = (await nextMovedDay(database, scope, day, end)) ?? Number.POSITIVE_INFINITY
      const isCounted = stored === null && nextMoved === day
      days.push(isCounted ? await countOnce(scope, day) : { day, ...(stored ?? NO_FIGURES), countedAt: null })
    }
    return days
  }
}
