/** The refunds of a merchant as a list, the newest first. */
import type { Refund } from '#payment/refund.ts'
import type { KeyScope } from '../merchant/keys.ts'
import type { Sql } from '../engine/database.ts'
import { conditions, pageOf, type ListPage, type PageRequest, type Place } from '../engine/list-page.ts'
import { REFUND_COLUMNS, refundFromRow } from './refunds.ts'

export const refundPlace = ({ requestedAt, checkoutId, refundId }: Refund): Place => [requestedAt, checkoutId, refundId]

export const listRefunds = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { after, limit }: PageRequest,
): Promise<ListPage<Refund>> => {
  const { values, add } = conditions(merchantId, mode)
  const older =
    after === null
      ? ''
      : `AND (requested_at, checkout_id, refund_id) < (${after.map((value) => add(value)).join(', ')})`
  const rows = await sql.rows(
    `SELECT ${REFUND_COLUMNS} FROM refunds WHERE merchant_id = $1 AND mode = $2 ${older}
     ORDER BY requested_at DESC, checkout_id DESC, refund_id DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  return pageOf(rows, limit, { read: refundFromRow, placeOf: refundPlace })
}
