/** Endpoint notices in the database: that an endpoint has failed for a day or was disabled, until the mail about it is written. */
import type { Instant } from '#contract/jst.ts'
import type { WebhookAnswer } from '#payment/delivery.ts'
import type { EndpointNews } from '#payment/endpoint-mail.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text } from '../engine/columns.ts'
import { endpointFromRow, type EndpointRef } from '../merchant/webhook-endpoints.ts'
import { insertRows } from '../engine/write.ts'

const KINDS = ['failing', 'disabled'] as const
type NoticeKind = (typeof KINDS)[number]

const isKind = (word: string): word is NoticeKind => KINDS.some((kind) => kind === word)

/** One for each kind and spell of failure. */
export interface NoticeRef extends EndpointRef {
  readonly kind: NoticeKind
  readonly failingSince: Instant
}

/** However often it is written, it is there once. */
export const noticeWrite = (
  { merchantId, endpointId, kind, failingSince }: NoticeRef,
  answer: WebhookAnswer,
  now: Instant,
): Write[] =>
  insertRows(
    'endpoint_notices',
    ['merchant_id', 'endpoint_id', 'kind', 'failing_since', 'status', 'problem', 'at'],
    [
      [
        merchantId,
        endpointId,
        kind,
        failingSince,
        answer.outcome === 'answered' ? answer.status : null,
        answer.outcome === 'answered' ? null : answer.why,
        now,
      ],
    ],
    'ON CONFLICT (merchant_id, endpoint_id, kind, failing_since) DO NOTHING',
  )

const refFromRow = (row: Row): NoticeRef => ({
  merchantId: text(row, 'merchant_id'),
  endpointId: text(row, 'endpoint_id'),
  kind: oneOf(row, 'kind', isKind),
  failingSince: integer(row, 'failing_since'),
})

/** Whatever the time: one that was written before the clock was set back is told, too. `at >= 0` has both engines search the index. */
export const findUntoldNotices = async (sql: Sql, _now: Instant, limit: number): Promise<NoticeRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, endpoint_id, kind, failing_since FROM endpoint_notices
     WHERE told_at IS NULL AND at >= 0 ORDER BY at, merchant_id, endpoint_id, kind LIMIT $1`,
    limit,
  )
  return rows.map(refFromRow)
}

const lastAnswerOf = (row: Row): EndpointNews['notice']['lastAnswer'] => {
  const status = integerOrNull(row, 'status')
  return status === null ? { problem: text(row, 'problem') } : { status }
}

/**
 * Notes that the shop is told, in the transaction that writes the mail: of two workers one does. Null where it is told
 * already, or the endpoint was removed.
 */
export const takeNotice = async (
  sql: Sql,
  { merchantId, endpointId, kind, failingSince }: NoticeRef,
  now: Instant,
): Promise<EndpointNews | null> => {
  const [row] = await sql.rows(
    `UPDATE endpoint_notices SET told_at = $5
     WHERE merchant_id = $1 AND endpoint_id = $2 AND kind = $3 AND failing_since = $4 AND told_at IS NULL RETURNING *`,
    merchantId,
    endpointId,
    kind,
    failingSince,
    now,
  )
  const [endpoint] = await sql.rows(
    'SELECT * FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2',
    merchantId,
    endpointId,
  )
  if (row === undefined || endpoint === undefined) return null
  return { notice: { ...refFromRow(row), lastAnswer: lastAnswerOf(row) }, endpoint: endpointFromRow(endpoint) }
}
