/** Routes of the merchant API that export the movements of money and checkouts. */
import type { FastifyPluginAsync } from 'fastify'
import { isRefusal, refuseField, type Refusal } from '#contract/errors.ts'
import { DAY_MS, endOfJstDay, jstDate, parseDeadline, startOfJstDay, type Instant } from '#contract/jst.ts'
import { EXPORT_DAYS_MAX, exportCheckouts } from '#contract/merchant/checkout-lists.ts'
import * as calls from '#contract/merchant/reports.ts'
import { checkoutPages, type ListedBy } from '../../../operations/list-checkouts.ts'
import { movementPages, type TimeRange } from '../../../store/reports/movements.ts'
import { checkoutsCsv } from './checkouts-csv.ts'
import { movementsCsv } from './movements-csv.ts'
import { answerCall } from '../contract-route.ts'
import { originOf, scopeOf, type CallerOptions } from './caller.ts'
import { readListedBy } from './lists.ts'
import { sendCsv } from './send-csv.ts'

/** A range of whole days in Japan. */
export interface DayRange extends TimeRange {
  readonly fromDate: string
  readonly toDate: string
}

const readDay = (name: 'from' | 'to', text: string): Instant | Refusal =>
  parseDeadline(text) ?? refuseField(name, 'must be a day that exists, such as 2026-12-31.')

export const readDayRange = (query: calls.DayRangeQuery, now: Instant): DayRange | Refusal => {
  const last = query.to === undefined ? endOfJstDay(now) : readDay('to', query.to)
  if (typeof last !== 'number') return last
  const first = query.from === undefined ? last - (calls.RANGE_DAYS_DEFAULT - 1) * DAY_MS : readDay('from', query.from)
  if (typeof first !== 'number') return first
  const from = startOfJstDay(first)
  if (from > last) return refuseField('from', 'is later than `to`. Give an earlier day.')
  if (last - from >= calls.RANGE_DAYS_MAX * DAY_MS)
    return refuseField('from', `is too early: ask for at most ${calls.RANGE_DAYS_MAX} days at once.`)
  return { from, to: last, fromDate: jstDate(from), toDate: jstDate(last) }
}

/** An export of checkouts with both ends of its time of creation, or why it is too long. */
const withinExport = (
  listedBy: ListedBy,
  now: Instant,
): { listedBy: ListedBy; from: Instant; to: Instant } | Refusal => {
  const to = Math.min(listedBy.filters.createdTo ?? now, now)
  const from = listedBy.filters.createdFrom ?? startOfJstDay(to) - (EXPORT_DAYS_MAX - 1) * DAY_MS
  if (from > to) return refuseField('createdFrom', 'is later than `createdTo`, or than now. Give an earlier time.')
  if (to - from > EXPORT_DAYS_MAX * DAY_MS)
    return refuseField('createdFrom', `is too early: ask for at most ${EXPORT_DAYS_MAX} days at once.`)
  return { listedBy: { ...listedBy, filters: { ...listedBy.filters, createdFrom: from, createdTo: to } }, from, to }
}

export const reportRoutes: FastifyPluginAsync<CallerOptions> = async (app, { deps, callerOf, nextPiece }) => {
  answerCall(app, calls.exportMovements, async (request, reply) => {
    const range = readDayRange(request.query, deps.clock.now())
    if (isRefusal(range)) return range
    const pages = movementPages(deps.database, scopeOf(callerOf(request)), range, nextPiece)
    const { locale, taxes } = request.query
    const name = `movements-${range.fromDate}-${range.toDate}`
    return sendCsv(reply, calls.exportMovements, name, movementsCsv(pages, { locale, hasTaxes: taxes === 'true' }))
  })

  answerCall(app, exportCheckouts, async (request, reply) => {
    const caller = callerOf(request)
    const asked = readListedBy(request.query)
    if (isRefusal(asked)) return asked
    const bounded = withinExport(asked, deps.clock.now())
    if (isRefusal(bounded)) return bounded
    const { listedBy, from, to } = bounded
    const pages = checkoutPages(deps, scopeOf(caller), listedBy, nextPiece)
    const csv = checkoutsCsv(pages, { locale: request.query.locale, origin: originOf(deps, caller) })
    return sendCsv(reply, exportCheckouts, `checkouts-${jstDate(from)}-${jstDate(to)}`, csv)
  })
}
