/** Outbox counts for the metrics: deliveries and mails that wait or have failed. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { CAP_MARK, UNREGISTERED } from '#payment/mail-permission.ts'
import type { Sql } from '../engine/database.ts'
import { integer, integerOrNull, text } from '../engine/columns.ts'
import { oldestUnlisted } from './fan-out.ts'
import { readTroubledEndpoints } from '../merchant/webhook-endpoints.ts'

/** Over all merchants. Failures are those of the last 24 hours. */
export interface OutboxCounts {
  /** The time of the oldest event that was not fanned out yet. */
  readonly oldestEvent: Instant | null
  readonly deliveriesWaiting: number
  /** The due time of the next delivery, past or future. */
  readonly deliveryDueAt: Instant | null
  readonly deliveriesFailed: number
  readonly endpointsFailing: number
  readonly endpointsDisabled: number
  readonly mailsWaiting: number
  readonly mailDueAt: Instant | null
  /** By the mail server. */
  readonly mailsRefused: number
  /** By our own rules: the address is not registered, or a cap is reached. */
  readonly mailsKeptBack: number
  readonly mailsGivenUp: number
}

/** Counting stops here: a backlog must not slow down the scrape that reports it. */
export const COUNTED_MAX = 10_000

const countOf = (table: 'deliveries' | 'mails', due: string): string =>
  `SELECT COUNT(*) FROM (SELECT 1 AS one FROM ${table} WHERE ${due} IS NOT NULL LIMIT ${COUNTED_MAX}) AS ${table}_waiting`

/** One index lookup for each endpoint. */
const NEXT_DUE = `SELECT MIN(next_due) FROM (
    SELECT (SELECT due_at FROM deliveries WHERE deliveries.merchant_id = webhook_endpoints.merchant_id
      AND deliveries.endpoint_id = webhook_endpoints.id AND deliveries.due_at IS NOT NULL ORDER BY due_at LIMIT 1) AS next_due
    FROM webhook_endpoints WHERE disabled_at IS NULL
  ) AS nexts`

const COUNTS = `SELECT (${countOf('deliveries', 'due_at')}) AS deliveries_waiting, (${NEXT_DUE}) AS delivery_due_at,
  (SELECT COUNT(*) FROM (SELECT 1 AS one FROM deliveries WHERE state = 'failed' AND ended_at > $1
    LIMIT ${COUNTED_MAX}) AS deliveries_failed_lately) AS deliveries_failed,
  (${countOf('mails', 'next_try_at')}) AS mails_waiting,
  (SELECT MIN(next_try_at) FROM mails WHERE next_try_at IS NOT NULL) AS mail_due_at`

/** The newest: of each its row is read, not its index alone. A shop whose every mail is refused would slow down each scrape. */
export const FAILED_READ = 1000

const FAILED_MAILS = `SELECT outcome, COUNT(*) AS total FROM (
    SELECT CASE WHEN state = 'refused' AND (answer = $2 OR substr(answer, 1, ${CAP_MARK.length}) = $3) THEN 'kept_back'
      ELSE state END AS outcome
    FROM mails WHERE state IN ('refused', 'given_up') AND ended_at > $1 ORDER BY ended_at DESC LIMIT ${FAILED_READ}
  ) AS failed GROUP BY outcome`

export const readOutboxCounts = async (sql: Sql, now: Instant): Promise<OutboxCounts> => {
  const [row = {}] = await sql.rows(COUNTS, now - DAY_MS)
  const failed = new Map(
    (await sql.rows(FAILED_MAILS, now - DAY_MS, UNREGISTERED, CAP_MARK)).map((each) => [
      text(each, 'outcome'),
      integer(each, 'total'),
    ]),
  )
  const { troubled } = await readTroubledEndpoints(sql)
  return {
    oldestEvent: await oldestUnlisted(sql),
    deliveriesWaiting: integer(row, 'deliveries_waiting'),
    deliveryDueAt: integerOrNull(row, 'delivery_due_at'),
    deliveriesFailed: integer(row, 'deliveries_failed'),
    endpointsFailing: troubled.filter(({ trouble }) => trouble.is === 'failing').length,
    endpointsDisabled: troubled.filter(({ trouble }) => trouble.is === 'disabled').length,
    mailsWaiting: integer(row, 'mails_waiting'),
    mailDueAt: integerOrNull(row, 'mail_due_at'),
    mailsRefused: failed.get('refused') ?? 0,
    mailsKeptBack: failed.get('kept_back') ?? 0,
    mailsGivenUp: failed.get('given_up') ?? 0,
  }
}
