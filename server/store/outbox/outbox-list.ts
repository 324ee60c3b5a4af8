/** Outbox: deliveries and mails that wait or have failed, for the operator; never to whom a mail goes. */
import type { Instant } from '#contract/jst.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { conditions } from '../engine/list-page.ts'

export const OUTBOX_STATES = ['waiting', 'failed'] as const
export type OutboxState = (typeof OUTBOX_STATES)[number]

const KINDS = ['delivery', 'mail'] as const
const isKind = (word: string): word is (typeof KINDS)[number] => KINDS.some((kind) => kind === word)

export interface OutboxItem {
  readonly kind: (typeof KINDS)[number]
  readonly merchant: string
  /** Of the event or of the mail. */
  readonly id: string
  /** Of a delivery: where it goes. */
  readonly webhookId: string | null
  /** Null: a mail about an endpoint. */
  readonly checkoutId: string | null
  /** Of the event, or the kind of mail. */
  readonly type: string
  readonly state: string
  readonly since: Instant
  readonly tries: number
  readonly lastAnswer: string | null
  /** Null: never, unless somebody asks for it. */
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
  webhookId: textOrNull(row, 'endpoint_id'),
  checkoutId: textOrNull(row, 'checkout_id'),
  type: text(row, 'type'),
  state: text(row, 'state'),
  since: integer(row, 'created_at'),
  tries: integer(row, 'tries'),
  lastAnswer: textOrNull(row, 'answer'),
  nextTryAt: integerOrNull(row, 'next_try_at'),
  endedAt: integerOrNull(row, 'ended_at'),
})

const LAST_ANSWER = `(SELECT COALESCE(CAST(status AS TEXT), problem) FROM delivery_tries
  WHERE delivery_tries.merchant_id = deliveries.merchant_id AND delivery_tries.endpoint_id = deliveries.endpoint_id
    AND delivery_tries.event_id = deliveries.event_id ORDER BY claim DESC LIMIT 1)`

const DELIVERIES = `SELECT 'delivery' AS kind, label, event_id AS id, endpoint_id, checkout_id, type, state,
  deliveries.created_at AS created_at, step AS tries, ${LAST_ANSWER} AS answer, due_at AS next_try_at, ended_at
  FROM deliveries JOIN events ON events.merchant_id = deliveries.merchant_id AND events.id = deliveries.event_id
  JOIN merchants ON merchants.id = deliveries.merchant_id`

const MAILS = `SELECT 'mail' AS kind, label, mails.id AS id, NULL AS endpoint_id, checkout_id, kind AS type, state,
  mails.created_at AS created_at, tries, answer, next_try_at, ended_at
  FROM mails JOIN merchants ON merchants.id = mails.merchant_id`

/** An emptied mail has no recipient any more: nobody can send it. */
const WANTED: Readonly<Record<'deliveries' | 'mails', Readonly<Record<OutboxState, string>>>> = {
  deliveries: { waiting: 'due_at IS NOT NULL', failed: "state = 'failed'" },
  mails: {
    waiting: 'next_try_at IS NOT NULL',
    failed: "state IN ('refused', 'given_up') AND recipient IS NOT NULL",
  },
}

const listIn = async (
  sql: Sql,
  table: keyof typeof WANTED,
  { merchant, state }: OutboxFilters,
  limit: number,
): Promise<OutboxItem[]> => {
  const { values, add } = conditions()
  const states = state === null ? OUTBOX_STATES : [state]
  const wanted = [
    `(${states.map((each) => `(${WANTED[table][each]})`).join(' OR ')})`,
    ...(merchant === null ? [] : [`label = ${add(merchant)}`]),
  ]
  const rows = await sql.rows(
    `${table === 'mails' ? MAILS : DELIVERIES} WHERE ${wanted.join(' AND ')}
     ORDER BY label, created_at, id LIMIT ${add(limit)}`,
    ...values,
  )
  return rows.map(fromRow)
}

const inOrder = (one: OutboxItem, other: OutboxItem): number => {
  if (one.merchant !== other.merchant) return one.merchant < other.merchant ? -1 : 1
  return one.since - other.since
}

/** By merchant, the oldest first. One more than `limit` says that there are more. */
export const listOutbox = async (sql: Sql, filters: OutboxFilters, limit: number): Promise<OutboxItem[]> =>
  [...(await listIn(sql, 'deliveries', filters, limit + 1)), ...(await listIn(sql, 'mails', filters, limit + 1))]
    .toSorted(inOrder)
    .slice(0, limit + 1)
