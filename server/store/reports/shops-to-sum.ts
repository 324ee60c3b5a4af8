/** Shops to sum: those that are new, and those of which a closed day is not summed, must be summed again, or is half done. */
import { MERCHANT_MODES } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { text } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'
import { insertRows } from '../engine/write.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { scopeFrom } from './day-figure-progress.ts'

const NEW_SHOPS = `SELECT id FROM merchants WHERE NOT EXISTS (
  SELECT 1 FROM day_figures_progress WHERE merchant_id = merchants.id) ORDER BY id LIMIT 100`

/** A shop has its rows from the first round after it was created; there are far fewer shops than payments. True when there may be more. */
export const addNewShops = async (sql: Sql): Promise<boolean> => {
  const shops = (await sql.rows(NEW_SHOPS)).map((row) => text(row, 'id'))
  if (shops.length === 0) return false
  const rows = shops.flatMap((id) => MERCHANT_MODES.map((mode) => [id, mode, 0, '', 0]))
  const columns = ['merchant_id', 'mode', 'summed_until', 'holder', 'lease_until']
  await sql.writeAll(insertRows('day_figures_progress', columns, rows, 'ON CONFLICT (merchant_id, mode) DO NOTHING'))
  return true
}

/** Those that are equally far behind are read by an index in no order, and then put into one: both engines sum the same shop first. */
const BEHIND = `SELECT merchant_id, mode FROM (
    SELECT merchant_id, mode, summed_until FROM day_figures_progress WHERE summed_until < $1
    ORDER BY summed_until LIMIT 100) AS behind
  ORDER BY summed_until, merchant_id, mode`
const LATE = `SELECT DISTINCT day, merchant_id, mode FROM day_figures_late WHERE day < $1
  ORDER BY day, merchant_id, mode LIMIT 100`

/** A worker that notes a day deletes its marks: if it dies, or an error comes, the note alone says that the day is not summed. */
const HALF_DONE = `SELECT merchant_id, mode FROM day_figures_progress WHERE summing_day < $1
  ORDER BY summing_day, merchant_id, mode LIMIT 100`

/** Shops with a day to sum before the first that is not closed; at most three hundred. Some may be summed by another worker now. */
export const findShopsToSum = async (sql: Sql, closed: Instant): Promise<KeyScope[]> => {
  const rows: Row[] = []
  for (const statement of [HALF_DONE, BEHIND, LATE]) rows.push(...(await sql.rows(statement, closed)))
  return [...new Map(rows.map((row) => [`${text(row, 'merchant_id')} ${text(row, 'mode')}`, scopeFrom(row)])).values()]
}
