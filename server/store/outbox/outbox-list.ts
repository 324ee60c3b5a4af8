/** Outbox list for the operator: deliveries and mails that wait or have failed, without the recipients of mails. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Instant } from '#contract/jst.ts'
import type { Row, Sql } from '../engine/database.ts'
import { integer, integerOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import { conditions, pageOf, type ListPage, type PageRequest, type Place } from '../engine/list-page.ts'

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
  /** Null: a mail about an endpoint, or an event that was deleted. */
  readonly checkoutId: string | null
  /** The type of the event, or the kind of the mail. Null: the event was deleted, and cannot be sent again. */
  readonly type: string | null
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
  type: textOrNull(row, 'type'),
  state: text(row, 'state'),
  since: integer(row, 'created_at'),
  tries: integer(row, 'tries'),
  lastAnswer: textOrNull(row, 'last_answer'),
  nextTryAt: integerOrNull(row, 'next_try_at'),
  endedAt: integerOrNull(row, 'ended_at'),
})

/** What the list shows of a delivery and of a mail, for the rows of a page alone. */
const SHOWN = {
  delivery: `'delivery' AS kind, label, event_id AS id, endpoint_id, checkout_id, type, state, page.created_at, step AS tries,
    due_at AS next_try_at, ended_at, (SELECT COALESCE(CAST(status AS TEXT), problem) FROM delivery_tries
      WHERE delivery_tries.merchant_id = page.merchant_id AND delivery_tries.endpoint_id = page.endpoint_id
        AND delivery_tries.event_id = page.event_id ORDER BY claim DESC LIMIT 1) AS last_answer`,
  mail: `'mail' AS kind, label, page.id, '' AS endpoint_id, checkout_id, page.kind AS type, state, page.created_at, tries,
    next_try_at, ended_at, answer AS last_answer`,
} as const

const TABLES = {
  delivery: {
    rows: 'merchant_id, endpoint_id, event_id, sequence, state, step, due_at, created_at, ended_at FROM deliveries',
    // LEFT: without it a delivery whose event was deleted would take a place of the page and not be shown, so a page could be empty.
    beside: 'LEFT JOIN events ON events.merchant_id = page.merchant_id AND events.id = page.event_id',
  },
  mail: {
    rows: 'merchant_id, id, checkout_id, kind, state, tries, answer, next_try_at, created_at, ended_at FROM mails',
    beside: '',
  },
} as const

/** A part of the list, in the order of its own index, so that a page reads no more rows than it shows. */
interface Section {
  readonly kind: (typeof KINDS)[number]
  readonly state: OutboxState
  readonly wanted: string
  /** Together they name one row. */
  readonly order: readonly string[]
}

/** What is tried no more comes first: it needs a person. An emptied mail has no recipient and cannot be sent. */
const SECTIONS: readonly Section[] = [
  {
    kind: 'delivery',
    state: 'failed',
    wanted: "state = 'failed'",
    order: ['merchant_id', 'endpoint_id', 'ended_at', 'event_id'],
  },
  {
    kind: 'mail',
    state: 'failed',
    wanted: "state IN ('refused', 'given_up') AND recipient IS NOT NULL",
    order: ['merchant_id', 'ended_at', 'id'],
  },
  {
    kind: 'delivery',
    state: 'waiting',
    wanted: 'due_at IS NOT NULL',
    order: ['merchant_id', 'endpoint_id', 'due_at', 'sequence', 'event_id'],
  },
  { kind: 'mail', state: 'waiting', wanted: 'next_try_at IS NOT NULL', order: ['merchant_id', 'next_try_at', 'id'] },
]

const NUMBERS: ReadonlySet<string> = new Set(['ended_at', 'due_at', 'sequence', 'next_try_at'])

/** The number of a section, and of its last row the values of the ordering columns, as texts. */
const OutboxPlace = Compile(
  Type.Union(
    SECTIONS.map(({ order }, index) =>
      Type.Tuple([
        Type.Literal(index),
        ...order.map((column) => Type.String({ pattern: NUMBERS.has(column) ? '^\\d{1,16}$' : '^[\\w.-]{1,200}$' })),
      ]),
    ),
  ),
)

/** Whether this list can have given out such a place. */
export const isOutboxPlace = (place: unknown): place is Place => OutboxPlace.Check(place)

const placeOf = (section: number, row: Row): Place => [
  section,
  ...(SECTIONS[section]?.order ?? []).map((column) =>
    NUMBERS.has(column) ? String(integer(row, `page_${column}`)) : text(row, `page_${column}`),
  ),
]

/**
 * The rows of a section behind a place, or from its beginning. The limit stands in the statement: for an unknown one PostgreSQL
 * plans a tenth of the table.
 */
const rowsOf = (
  sql: Sql,
  { kind, wanted, order }: Section,
  merchant: string | null,
  after: readonly string[] | null,
  limit: number,
): Promise<Row[]> => {
  const { values, add } = conditions()
  const ofMerchant =
    merchant === null ? '' : `AND merchant_id = (SELECT id FROM merchants WHERE label = ${add(merchant)})`
  const valueAt = (column: string, index: number): string => {
    const value = after?.[index] ?? ''
    return add(NUMBERS.has(column) ? Number(value) : value)
  }
  // Without a first value SQLite would read its index from end to end.
  const behind =
    after === null ? "AND merchant_id > ''" : `AND (${order.join(', ')}) > (${order.map(valueAt).join(', ')})`
  const { rows, beside } = TABLES[kind]
  const ordered = order.map((column) => `page.${column}`)
  return sql.rows(
    `SELECT ${SHOWN[kind]}, ${order.map((column) => `page.${column} AS page_${column}`).join(', ')}
     FROM (SELECT ${rows} WHERE ${wanted} ${ofMerchant} ${behind} ORDER BY ${order.join(', ')} LIMIT ${limit}) AS page
     JOIN merchants ON merchants.id = page.merchant_id ${beside} ORDER BY ${ordered.join(', ')}`,
    ...values,
  )
}

/**
 * What has failed, then what waits; of each deliveries before mails, by the id of the merchant (deliveries then by that of the
 * endpoint), then by when it failed or is tried next. What is tried between two pages moves: it may be on both, or on neither.
 */
export const listOutbox = async (
  sql: Sql,
  { merchant, state }: OutboxFilters,
  { after, limit }: PageRequest,
): Promise<ListPage<OutboxItem>> => {
  const [first = 0, ...behind] = after ?? []
  const found: { readonly section: number; readonly row: Row }[] = []
  for (const [index, section] of SECTIONS.entries()) {
    if (index < first || (state !== null && section.state !== state) || found.length > limit) continue
    const place = after !== null && index === first ? behind : null
    for (const row of await rowsOf(sql, section, merchant, place, limit + 1)) found.push({ section: index, row })
  }
  const page = pageOf(found, limit, {
    read: ({ section, row }) => ({ item: fromRow(row), place: placeOf(section, row) }),
    placeOf: ({ place }) => place,
    lengthOf: () => 0,
  })
  return { items: page.items.map(({ item }) => item), after: page.after }
}
