/** Date range: two days in Japan, and why typed ones cannot be used yet. */
import { parseDeadline } from '#contract/jst.ts'

/** Days in Japan such as 2026-11-22, the last one included. */
export interface DateRange {
  readonly from: string
  readonly to: string
}

/** Nothing of ours is older. A year that is half typed is: 0002, or 26. */
export const FIRST_DAY = '2000-01-01'

/** Where one day is typed: a part of it is missing. Before every day, and none. */
export const HALF_TYPED = ''

const DAY = /^\d{4}-\d{2}-\d{2}$/

export const isDay = (text: string): boolean => DAY.test(text) && parseDeadline(text) !== undefined

export type RangeProblem = 'not whole' | 'too early' | 'too late' | 'reversed'

/** Undefined: the range can be used. `last`: the last day that can be chosen; left out: any. */
export const rangeProblem = ({ from, to }: DateRange, last?: string): RangeProblem | undefined => {
  if (!isDay(from) || !isDay(to)) return 'not whole'
  if (from < FIRST_DAY || to < FIRST_DAY) return 'too early'
  if (last !== undefined && (from > last || to > last)) return 'too late'
  return from > to ? 'reversed' : undefined
}
