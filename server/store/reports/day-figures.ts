/** Figures of days: summed from the ledger and the attempts in pieces, or read from the rows of days that are summed. */
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
import { padToFixedSizes } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { lateDays, readProgress } from './day-figure-progress.ts'
import { readFigureRows } from './day-figure-rows.ts'
import { countedMovementPages, type NextPiece, type TimeRange } from './movements.ts'

/** So many are read and counted in a few milliseconds; then payments get their turn. */
const BEGUN_AT_ONCE = 200
/** Each may have several attempts. */
const CHECKOUTS_AT_ONCE = 64

/** $3: the end of the range; $4 and $5: the attempt after which to read. */
const BEGUN = `SELECT started_at, order_code, checkout_id FROM attempts
  WHERE merchant_id = $1 AND mode = $2 AND started_at <= $3 AND (started_at, order_code) > ($4, $5)
  ORDER BY started_at, order_code LIMIT ${BEGUN_AT_ONCE}`

/** Every attempt of some checkouts. */
const everyAttempt = async (sql: Sql, merchantId: string, checkoutIds: readonly string[]): Promise<readonly Row[]> => {
  if (checkoutIds.length === 0) return []
  const ids = padToFixedSizes(checkoutIds)
  return sql.rows(
    `SELECT checkout_id, started_at, order_code, details FROM attempts
     WHERE merchant_id = $1 AND checkout_id IN (${ids.map((_id, place) => `$${place + 2}`).join(', ')})`,
    merchantId,
    ...ids,
  )
}

const attemptFrom = (row: Row): EndedAttempt => ({
  orderCode: text(row, 'order_code'),
  startedAt: integer(row, 'started_at'),
  state: stateFromRow(row, 'details'),
})

/** Figures that are being summed, and how many rows were read for them. */
interface Sum {
  figures: DayFigures
  rowsRead: number
}

/**
 * By the day of its first attempt a checkout is counted once; at its other attempts it is passed over. Its attempts are read with
 * the first page that has one of them, and not again for later pages.
 */
const addBegun = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
  sum: Sum,
  nextPiece: NextPiece,
): Promise<void> => {
  /** Checkouts that were read and have attempts on later pages: when the last of these began. */
  const readBefore = new Map<string, Instant>()
  for (let after: readonly [Instant, string] | undefined = [from, '']; after !== undefined;) {
    await nextPiece()
    const page: Row[] = await sql.rows(BEGUN, merchantId, mode, to, ...after)
    sum.rowsRead += page.length
    const last: Row | undefined = page.length < BEGUN_AT_ONCE ? undefined : page.at(-1)
    after = last === undefined ? undefined : [integer(last, 'started_at'), text(last, 'order_code')]
    const end = after?.[0] ?? to
    const orderCodes = new Set(page.map((row) => text(row, 'order_code')))
    const unread = [...new Set(page.map((row) => text(row, 'checkout_id')))].filter((id) => !readBefore.has(id))
    for (let first = 0; first < unread.length; first += CHECKOUTS_AT_ONCE) {
      if (first > 0) await nextPiece()
      const every = await everyAttempt(sql, merchantId, unread.slice(first, first + CHECKOUTS_AT_ONCE))
      sum.rowsRead += every.length
      for (const [checkoutId, rows] of Map.groupBy(every, (row) => text(row, 'checkout_id'))) {
        const attempts = rows.map(attemptFrom)
        readBefore.set(checkoutId, Math.max(...attempts.map(({ startedAt }) => startedAt)))
        const [begun, ending] = [firstOf(attempts), checkoutEnd(attempts)]
        if (begun !== null && ending !== null && orderCodes.has(begun.orderCode))
          sum.figures = addCheckout(sum.figures, ending)
      }
    }
    for (const [checkoutId, lastBegan] of readBefore) if (lastBegan < end) readBefore.delete(checkoutId)
  }
}

/** What is written meanwhile may be counted or not. */
export const sumDay = async (sql: Sql, scope: KeyScope, day: Instant, nextPiece: NextPiece): Promise<Readonly<Sum>> => {
  const range = { from: day, to: day + DAY_MS - 1 }
  const sum: Sum = { figures: NO_FIGURES, rowsRead: 0 }
  await addBegun(sql, scope, range, sum, nextPiece)
  for await (const page of countedMovementPages(sql, scope, range, nextPiece)) {
    sum.rowsRead += page.length
    for (const movement of page) sum.figures = addMovement(sum.figures, movement)
  }
  return sum
}

/**
 * Every day of the range, also one without anything, with its stored figures. Null: the day is open, is to be summed, for the
 * first time or again, or its row cannot be read.
 */
export const readStoredDays = async (
  sql: Sql,
  scope: KeyScope,
  { from, to }: TimeRange,
): Promise<ReadonlyMap<Instant, DayFigures | null>> => {
  const first = startOfJstDay(from)
  // Marks first, rows last: whoever sums a day notes it, deletes its marks, stores its row, and takes away the note with that.
  const unsummed = new Set<Instant | null>()
  for await (const day of lateDays(sql, scope, first, to + 1)) unsummed.add(day)
  const { summedUntil, summingDay } = await readProgress(sql, scope)
  unsummed.add(summingDay)
  const rows = await readFigureRows(sql, scope, { from: first, to })
  const days = new Map<Instant, DayFigures | null>()
  for (let day = first; day <= to; day += DAY_MS) {
    const isSummed = day < summedUntil && !unsummed.has(day)
    const stored = rows.get(day)
    days.set(day, isSummed ? (stored === undefined ? NO_FIGURES : stored) : null)
  }
  return days
}
