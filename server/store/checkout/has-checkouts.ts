/** Whether a merchant has a checkout of a mode. */
import type { AccountRef } from '#payment/references.ts'
import type { Sql } from '../engine/database.ts'

export const hasCheckouts = async (sql: Sql, { merchantId, mode }: AccountRef): Promise<boolean> =>
  (await sql.rows('SELECT id FROM checkouts WHERE merchant_id = $1 AND mode = $2 LIMIT 1', merchantId, mode)).length > 0
