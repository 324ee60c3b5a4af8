/** Open days: which shops' figures somebody reads, and whether a day that is not closed is a busy one. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { BUSY_DAY, COUNTED_AFTER_READING_MS } from '#payment/day-figures.ts'
import type { Sql } from '../engine/database.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { NEXT_BEGUN, NEXT_MOVED, OF_SHOP, scopeFrom } from './day-figure-progress.ts'

/** Written once a day. */
export const noteReading = async (sql: Sql, { merchantId, mode }: KeyScope, now: Instant): Promise<void> => {
  const isDue = `${OF_SHOP} AND read_at <= $3`
  const lately = now - DAY_MS
  const due = await sql.rows(`SELECT 1 AS due FROM day_figures_progress ${isDue}`, merchantId, mode, lately)
  if (due.length === 0) return
  await sql.rows(`UPDATE day_figures_progress SET read_at = $4 ${isDue}`, merchantId, mode, lately, now)
}

const READ_LATELY = `SELECT merchant_id, mode FROM day_figures_progress WHERE read_at > $1 AND summed_until >= $2
  ORDER BY read_at, merchant_id, mode`

/** Shops whose figures somebody has read lately, and all of whose closed days are summed. Only these are counted, so the round is short. */
export const findShopsRead = async (sql: Sql, closed: Instant, now: Instant): Promise<KeyScope[]> =>
  (await sql.rows(READ_LATELY, now - COUNTED_AFTER_READING_MS, closed)).map(scopeFrom)

/** Whether a day is too much to be counted while a shop waits. */
export const isBusyDay = async (sql: Sql, { merchantId, mode }: KeyScope, day: Instant): Promise<boolean> => {
  for (const next of [NEXT_BEGUN, NEXT_MOVED])
    if ((await sql.rows(`${next} OFFSET ${BUSY_DAY - 1}`, merchantId, mode, day, day + DAY_MS)).length > 0) return true
  return false
}
