/** Outbox list for the operator: deliveries and mails that wait or have failed, without the recipients of mails. */
import type { Instant } from '#contract/jst.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { conditions, pageOf, type ListPage, type PageRequest } from '../engine/list-page.ts'

export const OUTBOX_STATES = ['waiting', 'failed'] as const
export type OutboxState = (typeof OUTBOX_STATES)[number]

const KINDS = ['delivery', 'mail'] as const
const isKind = (word: string): word is (typeof KINDS)[number] => KINDS.some((kind) => kind === word)

export interface OutboxItem {
  readonly kind: (typeof KINDS)[number]
  readonly merchant: string
  /** The id of the event or of the mail. */
  readonly id: string
  /** The endpoint of a delivery. */
  readonly webhookId: string | null
  /** Null: a mail about an endpoint. */
  readonly checkoutId: string | null
  /** The type of the event, or the kind of the mail. */
  readonly type: string
  readonly state: string
  readonly since: Instant
  readonly tries: number
  readonly lastAnswer: string | null
  /** Null: never, unless an operator retries it. */
  readonly nextTryAt: Instant | null
  readonly endedAt: Instant | null
}

export interface OutboxFilters {
  /** Its label. */
  readonly merchant: string | null
  readonly state: OutboxState | null
}

const fromRow = (row: Row): OutboxItem => ({
  kind: oneOf(row, 'kind', isKind),
  merchant: text(row, 'label'),
  id: text(row, 'id'),
  webhookId: text(row, 'endpoint_id') || null,
  checkoutId: textOrNull(row, 'checkout_id'),
  type: text(row, 'type'),
  state: text(row, 'state'),
  since: integer(row, 'created_at'),
  tries: integer(row, 'tries'),
  lastAnswer: textOrNull(row, 'answer') ?? textOrNull(row, 'last_answer'),
  nextTryAt: integerOrNull(row, 'next_try_at'),
  endedAt: integerOrNull(row, 'ended_at'),
})

const DELIVERIES = `SELECT 'delivery' AS kind, deliveries.merchant_id AS merchant_id, label, event_id AS id, endpoint_id,
  checkout_id, type, state, deliveries.created_at AS created_at, step AS tries, NULL AS answer, due_at AS next_try_at, ended_at
  FROM deliveries JOIN events ON events.merchant_id = deliveries.merchant_id AND events.id = deliveries.event_id
  JOIN merchants ON merchants.id = deliveries.merchant_id`

const MAILS = `SELECT 'mail' AS kind, mails.merchant_id AS merchant_id, label, mails.id AS id, '' AS endpoint_id,
  checkout_id, kind AS type, state, mails.created_at AS created_at, tries, answer, next_try_at, ended_at
  FROM mails JOIN merchants ON merchants.id = mails.merchant_id`

/** Of a delivery, read for the rows of the page alone. */
const LAST_ANSWER = `(SELECT COALESCE(CAST(status AS TEXT), problem) FROM delivery_tries
  WHERE delivery_tries.merchant_id = page.merchant_id AND delivery_tries.endpoint_id = page.endpoint_id
    AND delivery_tries.event_id = page.id ORDER BY claim DESC LIMIT 1)`

/** An emptied mail has no recipient and cannot be sent. */
const WANTED: Readonly<Record<'deliveries' | 'mails', Readonly<Record<OutboxState, string>>>> = {
  deliveries: { waiting: 'due_at IS NOT NULL', failed: "state = 'failed'" },
  mails: {
    waiting: 'next_try_at IS NOT NULL',
    failed: "state IN ('refused', 'given_up') AND recipient IS NOT NULL",
  },
}

const COLUMNS =
  'kind, merchant_id, label, id, endpoint_id, checkout_id, type, state, created_at, tries, answer, next_try_at, ended_at'
const ORDER = 'label, created_at, kind, id, endpoint_id'

/** By merchant, the oldest first; of one moment deliveries before mails. The database alone compares texts: each has an order of its own. */
export const listOutbox = async (
  sql: Sql,
  { merchant, state }: OutboxFilters,
  { after, limit }: PageRequest,
): Promise<ListPage<OutboxItem>> => {
  const { values, add } = conditions()
  const states = state === null ? OUTBOX_STATES : [state]
  const ofMerchant = merchant === null ? '' : `AND label = ${add(merchant)}`
  const wanted = (table: keyof typeof WANTED): string =>
    `(${states.map((each) => `(${WANTED[table][each]})`).join(' OR ')}) ${ofMerchant}`
  const [since = 0, label = '', id = '', endpointId = ''] = after ?? []
  const kind = endpointId === '' ? 'mail' : 'delivery'
  const place = after === null ? '' : `WHERE (${ORDER}) > (${[label, since, kind, id, endpointId].map(add).join(', ')})`
  const rows = await sql.rows(
    `SELECT ${COLUMNS}, ${LAST_ANSWER} AS last_answer FROM (
       SELECT ${COLUMNS} FROM (${DELIVERIES} WHERE ${wanted('deliveries')} UNION ALL ${MAILS} WHERE ${wanted('mails')}) AS outbox
       ${place} ORDER BY ${ORDER} LIMIT ${add(limit + 1)}) AS page
     ORDER BY ${ORDER}`,
    ...values,
  )
  return pageOf(rows, limit, {
    read: fromRow,
    placeOf: (item) => [item.since, item.merchant, item.id, item.webhookId ?? ''],
  })
}
