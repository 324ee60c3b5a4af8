/** Figures of days: summed from the ledger and the attempts in pieces, or read from the rows of days that are summed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, startOfJstDay, type Instant } from '#contract/jst.ts'
import {
  addCheckout,
  addMovement,
  checkoutEnd,
  firstOf,
  NO_FIGURES,
  type DayFigures,
  type EndedAttempt,
} from '#payment/day-figures.ts'
import { stateFromRow } from '../checkout/attempt-state.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { readSummedUntil } from './day-figure-progress.ts'
import { readFigureRows } from './day-figure-rows.ts'
import { movementPages, type TimeRange } from './movements.ts'

/** Figures by the first millisecond of their day. A day that is left out has none. */
type FiguresByDay = Map<Instant, DayFigures>

/** So many are read and counted in a few milliseconds; then payments get their turn. */
const BEGUN_AT_ONCE = 200

/** Every attempt of the checkouts of these attempts. $3: the end of the range; $4 and $5: the attempt after which to read. */
const BEGUN = `SELECT page.started_at AS page_started_at, page.order_code AS page_order_code,
    every.started_at, every.order_code, every.details
  FROM (SELECT merchant_id, checkout_id, started_at, order_code FROM attempts
    WHERE merchant_id = $1 AND mode = $2 AND started_at <= $3 AND (started_at, order_code) > ($4, $5)
    ORDER BY started_at, order_code LIMIT ${BEGUN_AT_ONCE}) AS page
  JOIN attempts AS every ON every.merchant_id = page.merchant_id AND every.checkout_id = page.checkout_id
  ORDER BY page.started_at, page.order_code`

const attemptFrom = (row: Row): EndedAttempt => ({
  orderCode: text(row, 'order_code'),
  startedAt: integer(row, 'started_at'),
  state: stateFromRow(row, 'details'),
})

/** By the day of its first attempt a checkout is counted once; at its other attempts it is passed over. */
const addBegun = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
  figures: FiguresByDay,
): Promise<void> => {
  for (let after: readonly [Instant, string] | undefined = [from, '']; after !== undefined;) {
    await nextTurn()
    const rows: Row[] = await sql.rows(BEGUN, merchantId, mode, to, ...after)
    const pages = Map.groupBy(rows, (row) => text(row, 'page_order_code'))
    for (const [orderCode, ofCheckout] of pages) {
      const attempts = ofCheckout.map(attemptFrom)
      const [first, end] = [firstOf(attempts), checkoutEnd(attempts)]
      if (first === null || end === null || first.orderCode !== orderCode) continue
      const day = startOfJstDay(first.startedAt)
      figures.set(day, addCheckout(figures.get(day) ?? NO_FIGURES, end))
    }
    const last: Row | undefined = pages.size < BEGUN_AT_ONCE ? undefined : rows.at(-1)
    after = last === undefined ? undefined : [integer(last, 'page_started_at'), text(last, 'page_order_code')]
  }
}

/** Sums the days of a range from the ledger and the attempts. What is written meanwhile may be counted or not. */
const sumDays = async (sql: Sql, scope: KeyScope, range: TimeRange): Promise<FiguresByDay> => {
  const figures: FiguresByDay = new Map()
  await addBegun(sql, scope, range, figures)
  for await (const page of movementPages(sql, scope, range))
    for (const movement of page) {
      const day = startOfJstDay(movement.bookedAt)
      figures.set(day, addMovement(figures.get(day) ?? NO_FIGURES, movement))
    }
  return figures
}

export const sumDay = async (sql: Sql, scope: KeyScope, day: Instant): Promise<DayFigures> =>
  (await sumDays(sql, scope, { from: day, to: day + DAY_MS - 1 })).get(day) ?? NO_FIGURES

export interface FiguresOfDay extends DayFigures {
  /** The first millisecond of the day in Japan. */
  readonly day: Instant
}

/** Every day of the range, also without figures: from the rows up to the first day that is not summed, the others live. */
export const readFigures = async (
  sql: Sql,
  scope: KeyScope,
  { from, to }: TimeRange,
): Promise<readonly FiguresOfDay[]> => {
  const [first, summedUntil] = [startOfJstDay(from), await readSummedUntil(sql, scope)]
  const stored = await readFigureRows(sql, scope, { from: first, to: Math.min(to, summedUntil - 1) })
  const live =
    to < summedUntil
      ? new Map<Instant, DayFigures>()
      : await sumDays(sql, scope, { from: Math.max(first, summedUntil), to })
  const days: FiguresOfDay[] = []
  for (let day = first; day <= to; day += DAY_MS)
    days.push({ day, ...(stored.get(day) ?? live.get(day) ?? NO_FIGURES) })
  return days
}
