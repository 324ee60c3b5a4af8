/** Timeline of a checkout: its creation, its lines in `changes` and its ended webhook deliveries, the newest first. */
import type { CheckoutRef } from '#payment/references.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, text } from '../engine/columns.ts'
import { conditions, pageOf, type ListPage, type PageRequest, type Place } from '../engine/list-page.ts'
import { NONE } from './changes.ts'
import { FIRST_VERSION } from './checkouts.ts'

const SUBJECTS = ['checkout', 'attempt', 'refund', 'dispute', 'mail', 'delivery'] as const
type Subject = (typeof SUBJECTS)[number]

/** One change of state: what, from, to, by whom, why, when. */
export interface TimelineLine {
  /** The place in the order: changes as they were written, deliveries between them by their time. */
  readonly order: Place
  readonly at: number
  readonly subject: Subject
  /** Of the attempt, the refund or the dispute; of a mail its kind; of a delivery its webhook. */
  readonly id: string | null
  readonly from: string | null
  readonly to: string
  readonly by: string
  readonly why: string
}

/** A line names its subject as "checkout", "attempt <order code>", "refund <refund id>", "dispute <dispute id>", "mail <kind>" or "delivery <webhook>". */
const subjectOf = (written: string): Pick<TimelineLine, 'subject' | 'id'> => {
  const [kind = '', id = null] = written.split(' ')
  const subject = SUBJECTS.find((each) => each === kind)
  if (subject === undefined) throw new Error(`a change of something unknown: ${kind}`)
  return { subject, id }
}

const fromRow = (row: Row): TimelineLine => {
  const from = text(row, 'moved_from')
  return {
    order: [integer(row, 'version'), String(integer(row, 'place')), text(row, 'tie')],
    at: integer(row, 'at'),
    ...subjectOf(text(row, 'subject')),
    from: from === NONE ? null : from,
    to: text(row, 'moved_to'),
    by: text(row, 'actor'),
    why: text(row, 'why'),
  }
}

/** Lines of `changes` need no tie breaker. */
const CHANGES = `SELECT version, place, '-' AS tie, subject, actor, moved_from, moved_to, why, at FROM changes
  WHERE merchant_id = $1 AND checkout_id = $2`

/** The creation, from the row of the checkout. Earlier releases also wrote a line of `changes` for it: then that one is used. */
const OPENED = `SELECT ${FIRST_VERSION} AS version, 0 AS place, '-' AS tie, 'checkout' AS subject, 'merchant' AS actor,
  '${NONE}' AS moved_from, 'open' AS moved_to, 'create' AS why, created_at AS at FROM checkouts
  WHERE merchant_id = $1 AND id = $2 AND NOT EXISTS (SELECT 1 FROM changes
    WHERE changes.merchant_id = $1 AND changes.checkout_id = $2 AND changes.version = ${FIRST_VERSION})`

/**
 * Deliveries are joined when the timeline is read: to write a line, a delivery would have to lock its checkout. A delivery
 * follows the last change before its end. Its `place` is a time, which is greater than the place of any change. SQLite joins in
 * the order that CROSS JOIN is written in: it would rather read all deliveries of each endpoint.
 */
const DELIVERIES = `SELECT COALESCE((SELECT changes.version FROM changes WHERE changes.merchant_id = $1
    AND changes.checkout_id = $2 AND changes.at <= deliveries.ended_at ORDER BY changes.version DESC LIMIT 1), 0) AS version,
  deliveries.ended_at AS place, CAST(deliveries.sequence AS TEXT) || '-' || deliveries.endpoint_id AS tie,
  'delivery ' || deliveries.endpoint_id AS subject, 'worker' AS actor, 'pending' AS moved_from,
  deliveries.state AS moved_to, events.type || ' ' || events.id AS why, deliveries.ended_at AS at
  FROM events CROSS JOIN webhook_endpoints CROSS JOIN deliveries
  WHERE events.merchant_id = $1 AND events.checkout_id = $2
    AND webhook_endpoints.merchant_id = $1 AND webhook_endpoints.mode = events.mode AND webhook_endpoints.removed_at IS NULL
    AND deliveries.merchant_id = $1 AND deliveries.endpoint_id = webhook_endpoints.id AND deliveries.event_id = events.id
    AND deliveries.ended_at IS NOT NULL`

/** Changes are listed in the order in which they were written, even if a clock was set back. */
export const timelineOf = async (
  sql: Sql,
  { merchantId, checkoutId }: CheckoutRef,
  { after, limit }: PageRequest,
): Promise<ListPage<TimelineLine>> => {
  const { values, add } = conditions(merchantId, checkoutId)
  const [version, place, tie] = after ?? []
  const older =
    version === undefined || tie === undefined
      ? ''
      : `WHERE (version, place, tie) < (${add(version)}, ${add(Number(place))}, ${add(tie)})`
  const rows = await sql.rows(
    `SELECT version, place, tie, subject, actor, moved_from, moved_to, why, at FROM (${CHANGES} UNION ALL ${OPENED} UNION ALL ${DELIVERIES}) AS lines ${older}
     ORDER BY version DESC, place DESC, tie DESC LIMIT ${add(limit + 1)}`,
    ...values,
  )
  return pageOf(rows, limit, { read: fromRow, placeOf: ({ order }) => order })
}

/** The merchant of a checkout, for the operator. An id is 160 random bits, unique over all merchants. */
export const findOwner = async (
  sql: Sql,
  checkoutId: string,
): Promise<{ readonly merchantId: string; readonly label: string } | null> => {
  const [row] = await sql.rows(
    `SELECT merchants.id, merchants.label FROM merchants
     JOIN checkouts ON checkouts.merchant_id = merchants.id AND checkouts.id = $1`,
    checkoutId,
  )
  return row === undefined ? null : { merchantId: text(row, 'id'), label: text(row, 'label') }
}

const PAGE = 100

/** Every line, the oldest first. */
export const wholeTimeline = async (sql: Sql, ref: CheckoutRef): Promise<TimelineLine[]> => {
  const lines: TimelineLine[] = []
  let after: Place | null = null
  do {
    const page: ListPage<TimelineLine> = await timelineOf(sql, ref, { after, limit: PAGE })
    lines.push(...page.items)
    after = page.after
  } while (after !== null)
  return lines.toReversed()
}
