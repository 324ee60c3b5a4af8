/** Endpoint notices: an endpoint has failed for a day or was disabled, and the shop gets a mail about it. */
import type { Instant } from '#contract/jst.ts'
import type { WebhookAnswer } from '#payment/webhook-retries.ts'
import type { EndpointNews } from '#payment/endpoint-mail.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, readEach, text, type OnUnreadable } from '../engine/columns.ts'
import { ENDPOINT_COLUMNS, endpointFromRow, type EndpointRef } from '../merchant/webhook-endpoints.ts'
import { insertRecords } from '../engine/write.ts'

const KINDS = ['failing', 'disabled'] as const
type NoticeKind = (typeof KINDS)[number]

const isKind = (word: string): word is NoticeKind => KINDS.some((kind) => kind === word)

/** One notice for each kind and each period of failure. */
export interface NoticeRef extends EndpointRef {
  readonly kind: NoticeKind
  readonly failingSince: Instant
}

/** Stored once, however often it is written. */
export const noticeWrite = (
  { merchantId, endpointId, kind, failingSince }: NoticeRef,
  answer: WebhookAnswer,
  now: Instant,
): Write[] =>
  insertRecords(
    'endpoint_notices',
    [
      {
        merchant_id: merchantId,
        endpoint_id: endpointId,
        kind,
        failing_since: failingSince,
        status: answer.outcome === 'answered' ? answer.status : null,
        problem: answer.outcome === 'answered' ? null : answer.why,
        at: now,
      },
    ],
    'ON CONFLICT (merchant_id, endpoint_id, kind, failing_since) DO NOTHING',
  )

const refFromRow = (row: Row): NoticeRef => ({
  merchantId: text(row, 'merchant_id'),
  endpointId: text(row, 'endpoint_id'),
  kind: oneOf(row, 'kind', isKind),
  failingSince: integer(row, 'failing_since'),
})

/** Not limited by the time, so that a clock that was set back delays none. `at >= 0` makes both engines use the index. */
export const findUntoldNotices = async (
  sql: Sql,
  _now: Instant,
  limit: number,
  onUnreadable?: OnUnreadable,
): Promise<NoticeRef[]> => {
  const rows = await sql.rows(
    `SELECT merchant_id, endpoint_id, kind, failing_since FROM endpoint_notices
     WHERE told_at IS NULL AND at >= 0 ORDER BY at, merchant_id, endpoint_id, kind LIMIT $1`,
    limit,
  )
  return readEach(rows, refFromRow, onUnreadable)
}

const lastAnswerOf = (row: Row): EndpointNews['notice']['lastAnswer'] => {
  const status = integerOrNull(row, 'status')
  return status === null ? { problem: text(row, 'problem') } : { status }
}

/**
 * Marks a notice as told in the transaction that stores the mail, so only one of two workers does it. Null where it is told
 * already, or the endpoint was removed.
 */
export const takeNotice = async (
  sql: Sql,
  { merchantId, endpointId, kind, failingSince }: NoticeRef,
  now: Instant,
): Promise<EndpointNews | null> => {
  const [row] = await sql.rows(
    `UPDATE endpoint_notices SET told_at = $5
     WHERE merchant_id = $1 AND endpoint_id = $2 AND kind = $3 AND failing_since = $4 AND told_at IS NULL
     RETURNING merchant_id, endpoint_id, kind, failing_since, status, problem`,
    merchantId,
    endpointId,
    kind,
    failingSince,
    now,
  )
  const [endpoint] = await sql.rows(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2`,
    merchantId,
    endpointId,
  )
  if (row === undefined || endpoint === undefined) return null
  return { notice: { ...refFromRow(row), lastAnswer: lastAnswerOf(row) }, endpoint: endpointFromRow(endpoint) }
}
