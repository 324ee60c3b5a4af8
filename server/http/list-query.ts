/** Queries of lists and reports: texts of an address turned into filters, pages and ranges of days. */
import { isRefusal, refuseField, type Refusal } from '#contract/errors.ts'
import {
  DAY_MS,
  endOfJstDay,
  jstDate,
  parseBeginning,
  parseDeadline,
  startOfJstDay,
  type Instant,
} from '#contract/jst.ts'
import {
  LIMIT_DEFAULT,
  RANGE_DAYS_DEFAULT,
  RANGE_DAYS_MAX,
  type CheckoutListQuery,
  type DayRangeQuery,
  type PageQuery,
} from '#contract/merchant-lists.ts'
import type { CheckoutFilters } from '../store/checkout/checkout-list.ts'
import type { PageRequest } from '../store/engine/list-page.ts'
import type { TimeRange } from '../store/reports/movements.ts'
import { readCursor } from './cursor.ts'

const refusePlace = (): Refusal =>
  refuseField('after', 'is no place in this list. Send what the page before has answered.')

/** `ids`: how many a place in this list has behind its time. */
export const readPageQuery = ({ limit, after }: PageQuery, ids = 1): PageRequest | Refusal => {
  const place = after === undefined ? null : readCursor(after, ids)
  if (place === undefined) return refusePlace()
  return { after: place, limit: limit === undefined ? LIMIT_DEFAULT : Number(limit) }
}

/** The same of a timeline, whose places begin with two numbers: an id out of another list would be no number for the database. */
export const readTimelinePageQuery = (query: PageQuery): PageRequest | Refusal => {
  const page = readPageQuery(query, 2)
  if (isRefusal(page) || page.after === null) return page
  const [, place = ''] = page.after
  return /^\d{1,15}$/.test(place) ? page : refusePlace()
}

export const NO_MOMENT = 'must be a date such as 2026-12-31 or an instant such as 2026-12-31T18:00:00+09:00.'

const MOMENTS = ['createdFrom', 'createdTo', 'paidFrom', 'paidTo'] as const
type Moment = (typeof MOMENTS)[number]

const readMoment = (name: Moment, text: string): Instant | Refusal => {
  const instant = name.endsWith('From') ? parseBeginning(text) : parseDeadline(text)
  return instant ?? refuseField(name, NO_MOMENT)
}

export const readFilters = (query: CheckoutListQuery): CheckoutFilters | Refusal => {
  const moments: Partial<Record<Moment, Instant>> = {}
  for (const name of MOMENTS) {
    const given = query[name]
    if (given === undefined) continue
    const instant = readMoment(name, given)
    if (typeof instant !== 'number') return instant
    moments[name] = instant
  }
  const { status, pending, reference, email, lastFour, transactionId } = query
  const isPending = pending === undefined ? undefined : pending === 'true'
  return { status, pending: isPending, reference, email, lastFour, transactionId, ...moments }
}

/** A range of whole days in Japan. */
export interface DayRange extends TimeRange {
  readonly fromDate: string
  readonly toDate: string
}

const readDay = (name: 'from' | 'to', text: string): Instant | Refusal =>
  parseDeadline(text) ?? refuseField(name, 'must be a day that exists, such as 2026-12-31.')

export const readDayRange = (query: DayRangeQuery, now: Instant): DayRange | Refusal => {
  const last = query.to === undefined ? endOfJstDay(now) : readDay('to', query.to)
  if (typeof last !== 'number') return last
  const first = query.from === undefined ? last - (RANGE_DAYS_DEFAULT - 1) * DAY_MS : readDay('from', query.from)
  if (typeof first !== 'number') return first
  const from = startOfJstDay(first)
  if (from > last) return refuseField('from', 'is later than `to`. Give an earlier day.')
  if (last - from >= RANGE_DAYS_MAX * DAY_MS)
    return refuseField('from', `is too early: ask for at most ${RANGE_DAYS_MAX} days at once.`)
  return { from, to: last, fromDate: jstDate(from), toDate: jstDate(last) }
}

/** The first of two readings of a query that is refused. */
export const firstRefusal = (...readings: readonly (object | Refusal)[]): Refusal | undefined =>
  readings.find((reading) => isRefusal(reading))
