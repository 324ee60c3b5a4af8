/** Progress of day figures: how far the days of a shop are summed, by whom, and which days must be summed again. */
import { isMerchantMode } from '#contract/access.ts'
import { DAY_MS, startOfJstDay, type Instant } from '#contract/jst.ts'
import type { DayFigures } from '#payment/day-figures.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import type { Database, Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text } from '../engine/columns.ts'
import { insertRows } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { figuresWrite } from './day-figure-rows.ts'

const OF_SHOP = 'WHERE merchant_id = $1 AND mode = $2'
const PROGRESS = 'summed_until, summing_day'

export interface SummedDays {
  /** The first day that is not summed; 0: none is. */
  readonly summedUntil: Instant
  /** The day that is being summed, perhaps by a worker that has died. Its marks are deleted already. Null: none. */
  readonly summingDay: Instant | null
}

export const readProgress = async (sql: Sql, { merchantId, mode }: KeyScope): Promise<SummedDays> => {
  const [row] = await sql.rows(`SELECT ${PROGRESS} FROM day_figures_progress ${OF_SHOP}`, merchantId, mode)
  return row === undefined
    ? { summedUntil: 0, summingDay: null }
    : { summedUntil: integer(row, 'summed_until'), summingDay: integerOrNull(row, 'summing_day') }
}

export const scopeFrom = (row: Row): KeyScope => ({
  merchantId: text(row, 'merchant_id'),
  mode: oneOf(row, 'mode', isMerchantMode),
})

/** Longer than a day of a busy shop takes. What a worker writes after its lease has ended is dropped. */
const LEASE_MS = 600_000

/** Who sums the days of a shop, and how far they are summed. */
export interface Summing extends KeyScope, SummedDays {
  readonly holder: string
}

const summingFrom = (scope: KeyScope, holder: string, [row]: readonly Row[]): Summing | null =>
  row === undefined
    ? null
    : {
        merchantId: scope.merchantId,
        mode: scope.mode,
        holder,
        summedUntil: integer(row, 'summed_until'),
        summingDay: integerOrNull(row, 'summing_day'),
      }

/** Null: another worker sums the days of this shop. */
export const claimSumming = async (sql: Sql, scope: KeyScope, holder: string, now: Instant): Promise<Summing | null> =>
  summingFrom(
    scope,
    holder,
    await sql.rows(
      `UPDATE day_figures_progress SET holder = $3, lease_until = $4 ${OF_SHOP} AND lease_until <= $5 RETURNING ${PROGRESS}`,
      scope.merchantId,
      scope.mode,
      holder,
      now + LEASE_MS,
      now,
    ),
  )

interface Progress {
  readonly summedUntil: Instant
  readonly summingDay: Instant | null
  readonly leaseUntil: Instant
}

/** Null: the lease has ended, and another worker has taken it. */
const moveOn = async (sql: Sql, summing: Summing, next: Progress): Promise<Summing | null> =>
  summingFrom(
    summing,
    summing.holder,
    await sql.rows(
      `UPDATE day_figures_progress SET summed_until = $4, summing_day = $5, lease_until = $6
       ${OF_SHOP} AND holder = $3 RETURNING ${PROGRESS}`,
      summing.merchantId,
      summing.mode,
      summing.holder,
      next.summedUntil,
      next.summingDay,
      next.leaseUntil,
    ),
  )

/** Everything is summed up to this day. */
export const endSumming = async (sql: Sql, summing: Summing, summedUntil: Instant): Promise<void> => {
  await moveOn(sql, summing, {
    summedUntil: Math.max(summedUntil, summing.summedUntil),
    // Null, unless the worker stops before it began with a day that another had left.
    summingDay: summing.summingDay,
    leaseUntil: 0,
  })
}

const LATE_MARKS: BatchedChange = {
  table: 'day_figures_late',
  key: ['merchant_id', 'mode', 'day', 'checkout_id', 'version'],
  where: 'merchant_id = $1 AND mode = $2 AND day = $3',
  order: 'checkout_id, version',
  change: 'DELETE',
}

/**
 * Notes the day that is summed next, then deletes its marks: what they tell of is stored, and is seen by all that is read from now
 * on. A mark that is stored later stays. If this worker dies, the next one begins with the noted day. Null: the lease is lost.
 */
export const beginDay = async (sql: Sql, summing: Summing, day: Instant, now: Instant): Promise<Summing | null> => {
  const begun = await moveOn(sql, summing, {
    summedUntil: summing.summedUntil,
    summingDay: day,
    leaseUntil: now + LEASE_MS,
  })
  if (begun !== null) while (await changeNextBatch(sql, LATE_MARKS, [summing.merchantId, summing.mode, day]));
  return begun
}

/** Stores the figures of the day that was begun. Null: the lease is lost, and nothing is stored. */
export const storeDay = (
  database: Database,
  summing: Summing,
  day: Instant,
  figures: DayFigures,
  now: Instant,
): Promise<Summing | null> =>
  database.transact(async (sql) => {
    const stored = await moveOn(sql, summing, {
      summedUntil: Math.max(summing.summedUntil, day + DAY_MS),
      summingDay: null,
      leaseUntil: now + LEASE_MS,
    })
    if (stored === null) return null
    await sql.writeAll(figuresWrite(summing, day, figures))
    return stored
  })

/** $3 and $4: the range, its end left out. */
const NEXT_LATE = `SELECT day AS at FROM day_figures_late ${OF_SHOP} AND day >= $3 AND day < $4 ORDER BY day LIMIT 1`
const NEXT_ROW = `SELECT day AS at FROM day_figures ${OF_SHOP} AND day >= $3 AND day < $4 ORDER BY day LIMIT 1`
const NEXT_BEGUN = `SELECT started_at AS at FROM attempts ${OF_SHOP} AND started_at >= $3 AND started_at < $4
  ORDER BY started_at LIMIT 1`
const NEXT_MOVED = `SELECT booked_at AS at FROM ledger_lines ${OF_SHOP} AND account = 'acquirer' AND booked_at >= $3
  AND booked_at < $4 ORDER BY booked_at LIMIT 1`

/** The first day of the range that one of the statements finds; the end of the range is left out. Null: there is none. */
const nextDay = async (
  sql: Sql,
  statements: readonly string[],
  { merchantId, mode }: KeyScope,
  from: Instant,
  until: Instant,
): Promise<Instant | null> => {
  let end = until
  for (const statement of statements) {
    const [row] = await sql.rows(statement, merchantId, mode, from, end)
    if (row !== undefined) end = startOfJstDay(integer(row, 'at'))
  }
  return end < until ? end : null
}

/** The next day with a mark, before `until`. Also before 1970: a mark that nobody takes away would be looked for without end. */
export const nextLateDay = (sql: Sql, scope: KeyScope, until: Instant): Promise<Instant | null> =>
  nextDay(sql, [NEXT_LATE], scope, Number.MIN_SAFE_INTEGER, until)

/** The next day on which something moved or began. */
export const nextMovedDay = (sql: Sql, scope: KeyScope, from: Instant, until: Instant): Promise<Instant | null> =>
  nextDay(sql, [NEXT_BEGUN, NEXT_MOVED], scope, from, until)

async function* daysOf(
  sql: Sql,
  statements: readonly string[],
  scope: KeyScope,
  from: Instant,
  until: Instant,
): AsyncGenerator<Instant, void> {
  for (let next: Instant = from; next < until;) {
    const day = await nextDay(sql, statements, scope, next, until)
    if (day === null) return
    yield day
    next = day + DAY_MS
  }
}

/** Every day of a range with figures, stored or to be stored. Its end is left out. */
export const daysWithFigures = (
  sql: Sql,
  scope: KeyScope,
  from: Instant,
  until: Instant,
): AsyncGenerator<Instant, void> => daysOf(sql, [NEXT_ROW, NEXT_BEGUN, NEXT_MOVED], scope, from, until)

/** Every day of a range that is to be summed again. Its end is left out. */
export const lateDays = (sql: Sql, scope: KeyScope, from: Instant, until: Instant): AsyncGenerator<Instant, void> =>
  daysOf(sql, [NEXT_LATE], scope, from, until)

/** Whether the worker has to sum this day again, or does so now. */
export const isLate = async (sql: Sql, scope: KeyScope, day: Instant): Promise<boolean> =>
  (await sql.rows(NEXT_LATE, scope.merchantId, scope.mode, day, day + DAY_MS)).length > 0 ||
  // Last: the day is noted before its marks are deleted.
  (await readProgress(sql, scope)).summingDay === day

/** Marks a day by hand, so that it is summed again. */
export const markLate = (sql: Sql, { merchantId, mode }: KeyScope, day: Instant): Promise<void> =>
  sql.writeAll(
    insertRows(
      'day_figures_late',
      LATE_MARKS.key,
      [[merchantId, mode, day, '', 0]],
      'ON CONFLICT (merchant_id, mode, day, checkout_id, version) DO NOTHING',
    ),
  )
