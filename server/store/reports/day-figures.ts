/** Figures of days: summed from the ledger and the attempts in pieces, or read from the rows of days that are summed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS, startOfJstDay, type Instant } from '#contract/jst.ts'
import {
  addCheckout,
  addMovement,
  checkoutEnd,
  firstOf,
  isBelieved,
  NO_FIGURES,
  type DayFigures,
  type EndedAttempt,
} from '#payment/day-figures.ts'
import { stateFromRow } from '../checkout/attempt-state.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { padToFixedSizes } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { readSummedUntil } from './day-figure-progress.ts'
import { readFigureRows } from './day-figure-rows.ts'
import { movementPages, type TimeRange } from './movements.ts'

/** Figures by the first millisecond of their day. A day that is left out has none. */
type FiguresByDay = Map<Instant, DayFigures>

/** So many are read and counted in a few milliseconds; then payments get their turn. */
const BEGUN_AT_ONCE = 200

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

/**
 * By the day of its first attempt a checkout is counted once; at its other attempts it is passed over. Its attempts are read with
 * the first page that has one of them, and not again for later pages. Answers how many rows were read.
 */
const addBegun = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { from, to }: TimeRange,
  figures: FiguresByDay,
): Promise<number> => {
  let rowsRead = 0
  /** Checkouts that were read and have attempts on later pages: when the last of these began. */
  const readBefore = new Map<string, Instant>()
  for (let after: readonly [Instant, string] | undefined = [from, '']; after !== undefined;) {
    await nextTurn()
    const page: Row[] = await sql.rows(BEGUN, merchantId, mode, to, ...after)
    const last: Row | undefined = page.length < BEGUN_AT_ONCE ? undefined : page.at(-1)
    after = last === undefined ? undefined : [integer(last, 'started_at'), text(last, 'order_code')]
    const end = after?.[0] ?? to
    const orderCodes = new Set(page.map((row) => text(row, 'order_code')))
    const checkoutIds = new Set(page.map((row) => text(row, 'checkout_id')))
    const every = await everyAttempt(
      sql,
      merchantId,
      [...checkoutIds].filter((id) => !readBefore.has(id)),
    )
    rowsRead += page.length + every.length
    for (const [checkoutId, rows] of Map.groupBy(every, (row) => text(row, 'checkout_id'))) {
      const attempts = rows.map(attemptFrom)
      readBefore.set(checkoutId, Math.max(...attempts.map(({ startedAt }) => startedAt)))
      const [first, ending] = [firstOf(attempts), checkoutEnd(attempts)]
      if (first === null || ending === null || !orderCodes.has(first.orderCode)) continue
      const day = startOfJstDay(first.startedAt)
      figures.set(day, addCheckout(figures.get(day) ?? NO_FIGURES, ending))
    }
    for (const [checkoutId, lastBegan] of readBefore) if (lastBegan < end) readBefore.delete(checkoutId)
  }
  return rowsRead
}

interface Counted {
  readonly figures: ReadonlyMap<Instant, DayFigures>
  readonly rowsRead: number
}

/** Sums the days of a range from the ledger and the attempts. What is written meanwhile may be counted or not. */
const sumDays = async (sql: Sql, scope: KeyScope, range: TimeRange): Promise<Counted> => {
  const figures: FiguresByDay = new Map()
  let rowsRead = await addBegun(sql, scope, range, figures)
  for await (const page of movementPages(sql, scope, range)) {
    rowsRead += page.length
    for (const movement of page) {
      const day = startOfJstDay(movement.bookedAt)
      figures.set(day, addMovement(figures.get(day) ?? NO_FIGURES, movement))
    }
  }
  return { figures, rowsRead }
}

interface CountedDay extends DayFigures {
  /** How many rows were read for it. */
  readonly rowsRead: number
}

export const sumDay = async (sql: Sql, scope: KeyScope, day: Instant): Promise<CountedDay> => {
  const { figures, rowsRead } = await sumDays(sql, scope, { from: day, to: day + DAY_MS - 1 })
  return { ...(figures.get(day) ?? NO_FIGURES), rowsRead }
}

export interface FiguresOfDay extends DayFigures {
  /** The first millisecond of the day in Japan. */
  readonly day: Instant
  /** When the worker has counted this day, which is open. Null: it is closed, or was counted now. */
  readonly countedAt: Instant | null
}

/**
 * Every day of the range, also without figures: of a closed day its row, of an open one the row that the worker has counted last,
 * if it may be believed now. Every other day is counted now. Null for now: no row of an open day is believed.
 */
export const readFigures = async (
  sql: Sql,
  scope: KeyScope,
  { from, to }: TimeRange,
  now: Instant | null,
): Promise<readonly FiguresOfDay[]> => {
  const [first, summedUntil] = [startOfJstDay(from), await readSummedUntil(sql, scope)]
  const stored = await readFigureRows(sql, scope, { from: first, to })
  const storedOf = (day: Instant): FiguresOfDay | null => {
    const row = stored.get(day)
    if (row === undefined) return day < summedUntil ? { day, ...NO_FIGURES, countedAt: null } : null
    const { openCount, counts, brands } = row
    if (openCount === null) return { day, counts, brands, countedAt: null }
    const { countedAt } = openCount
    return now !== null && isBelieved(openCount, day, now) ? { day, counts, brands, countedAt } : null
  }
  const days: Instant[] = []
  for (let day = first; day <= to; day += DAY_MS) days.push(day)
  const toCount = days.filter((day) => storedOf(day) === null)
  const [firstToCount, lastToCount] = [toCount[0], toCount.at(-1)]
  const counted: Pick<Counted, 'figures'> =
    firstToCount === undefined || lastToCount === undefined
      ? { figures: new Map() }
      : await sumDays(sql, scope, { from: firstToCount, to: lastToCount + DAY_MS - 1 })
  return days.map((day) => storedOf(day) ?? { day, ...(counted.figures.get(day) ?? NO_FIGURES), countedAt: null })
}
