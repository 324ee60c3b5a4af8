/** Fan-out: after an event is committed, its deliveries and mails are made, and it gets its place in the list of events. */
import type { CheckoutEventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode } from '#contract/access.ts'
import type { KeyScope } from '../merchant/keys.ts'
import { integer, oneOf, text, UnreadableRow } from '../engine/columns.ts'
import type { Database, Row, Sql, Write } from '../engine/database.ts'
import { conditions } from '../engine/list-page.ts'
import { deliveriesWrite, FROM_THE_FIRST_TRY, ONCE, type NewDelivery } from './deliveries.ts'
import { notificationsOf, type FannedOutEvent } from './notifications.ts'
import { idOfKey, insertSetAside, noteMissedSince, type NewSetAside } from '../merchant/set-aside.ts'
import { endpointsOf, type WebhookEndpoint } from '../merchant/webhook-endpoints.ts'
import { padToFixedSizes } from '../engine/write.ts'

/** With the most endpoints a merchant may have, all deliveries still fit into one statement of SQLite. */
export const FANNED_OUT_AT_ONCE = 64

const FEED_LOCK = 'list of events'

const wants = ({ disabled, types }: WebhookEndpoint, type: string): boolean =>
  disabled === null && (types === null || types.some((each) => each === type))

/**
 * The enabled endpoints that take events of this type, locked against changes. Without the lock, an endpoint that is disabled
 * meanwhile would keep its deliveries waiting, and one that is removed would make the write of all deliveries fail.
 */
export const endpointsTold = async (sql: Sql, scope: KeyScope, type: string): Promise<WebhookEndpoint[]> =>
  (await endpointsOf(sql, scope, sql.forShare)).filter((endpoint) => wants(endpoint, type))

/** The time under which the newest event of a key's mode is listed; 0 where there is none. */
const lastListed = async (sql: Sql, { merchantId, mode }: KeyScope): Promise<number> => {
  const [row] = await sql.rows(
    `SELECT fanned_out_at FROM events WHERE merchant_id = $1 AND mode = $2 AND sequence > 0 AND fanned_out_at IS NOT NULL
     ORDER BY fanned_out_at DESC LIMIT 1`,
    merchantId,
    mode,
  )
  return row === undefined ? 0 : integer(row, 'fanned_out_at')
}

interface EventRef {
  readonly merchantId: string
  readonly id: string
}

interface FannedOut extends EventRef {
  readonly at: Instant
}

/** Each event gets its own time. */
const fannedOutWrite = (events: readonly FannedOut[]): Write => {
  const rows = events.map(
    (_event, place) => `($${3 * place + 1}, $${3 * place + 2}, CAST($${3 * place + 3} AS BIGINT))`,
  )
  return {
    text: `UPDATE events SET fanned_out_at = listed.column3 FROM (VALUES ${rows.join(', ')}) AS listed
      WHERE events.merchant_id = listed.column1 AND events.id = listed.column2`,
    values: events.flatMap(({ merchantId, id, at }) => [merchantId, id, at]),
  }
}

/** One that cannot be read was set aside, with a place below zero. */
const NEW = 'fanned_out_at IS NULL'

/** What a transaction of fan-out sets aside. */
interface NewlySetAside {
  /** Once for each. */
  add(row: NewSetAside): Promise<void>
  readonly rows: readonly NewSetAside[]
}

/** In the transaction that passes it over: from its first event on nothing that it misses is forgotten. */
const collectSetAside = (sql: Sql, oldest: Instant): NewlySetAside => {
  const rows: NewSetAside[] = []
  return {
    rows,
    add: async (row) => {
      if (await insertSetAside(sql, row, oldest)) rows.push(row)
      else await noteMissedSince(sql, row, oldest)
    },
  }
}

/** Those that can be read. One that cannot and is not disabled is set aside, and gets what it misses when it can be read. */
const readEndpoints = async (sql: Sql, scope: KeyScope, aside: NewlySetAside): Promise<WebhookEndpoint[]> => {
  const unreadable: NewSetAside[] = []
  const endpoints = await endpointsOf(sql, scope, sql.forShare, (row, { message: why }) => {
    if (row['disabled_at'] === null)
      unreadable.push({
        merchantId: scope.merchantId,
        queue: 'endpoints',
        id: idOfKey([text(row, 'id')]),
        why,
        said: null,
      })
  })
  for (const each of unreadable) await aside.add(each)
  return endpoints
}

const fanOutRows = async (sql: Sql, rows: readonly Row[], now: Instant): Promise<readonly NewSetAside[]> => {
  const scopes = new Map<string, { readonly endpoints: readonly WebhookEndpoint[]; last: Instant }>()
  const aside = collectSetAside(sql, Math.min(now, ...rows.map((row) => integer(row, 'created_at'))))
  const made: NewDelivery[] = []
  const done: FannedOut[] = []
  const told: FannedOutEvent[] = []
  for (const row of rows) {
    const event = {
      merchantId: text(row, 'merchant_id'),
      id: text(row, 'id'),
      mode: oneOf(row, 'mode', isMerchantMode),
      sequence: integer(row, 'sequence'),
      createdAt: integer(row, 'created_at'),
    }
    const { merchantId, mode } = event
    const type = text(row, 'type')
    const name = `${merchantId} ${mode}`
    const scope = scopes.get(name) ?? {
      endpoints: await readEndpoints(sql, { merchantId, mode }, aside),
      last: await lastListed(sql, { merchantId, mode }),
    }
    scopes.set(name, scope)
    scope.last = Math.max(now, scope.last + 1)
    done.push({ merchantId, id: event.id, at: scope.last })
    for (const endpoint of scope.endpoints) if (wants(endpoint, type)) made.push({ endpointId: endpoint.id, event })
    told.push({ ...event, type, hasWebhook: scope.endpoints.some(({ disabled }) => disabled === null) })
  }
  await sql.writeAll([
    ...deliveriesWrite(padToFixedSizes(made), now, 'once'),
    ...(await notificationsOf(sql, told, now, aside.add)),
    fannedOutWrite(padToFixedSizes(done)),
  ])
  return aside.rows
}

interface FanOut {
  /** The number of events. */
  readonly events: number
  readonly setAside: readonly NewSetAside[]
}

/**
 * In one transaction: makes a delivery of each event for each endpoint that takes it, and a mail to the shop that wants one,
 * and gives the event its place in the list. A crash neither loses nor doubles any. Any number of workers may run it at the
 * same time.
 */
const fanOutNext = (database: Database, now: Instant, only: EventRef | null): Promise<FanOut> =>
  database.transact(async (sql) => {
    const { values, add } = conditions(FANNED_OUT_AT_ONCE)
    const named = only === null ? '' : `AND merchant_id = ${add(only.merchantId)} AND id = ${add(only.id)}`
    const rows = await sql.rows(
      `SELECT merchant_id, id, mode, type, sequence, created_at FROM events WHERE ${NEW} ${named}
       ORDER BY created_at, sequence, id LIMIT $1 ${sql.skipLocked}`,
      ...values,
    )
    if (rows.length === 0) return { events: 0, setAside: [] }
    // Held until the commit: whoever has read the list must find all later events after those that it has read.
    await sql.lockNames(FEED_LOCK)
    return { events: rows.length, setAside: await fanOutRows(sql, rows, now) }
  })

/** Who hears of what cannot be read: events of every shop wait in one list. */
export interface FanOutEvents {
  /** Sets aside an event that cannot be told. */
  onUnreadable(event: EventRef, error: UnreadableRow): Promise<unknown>
  /** An endpoint, or the settings of a shop, was set aside. */
  onSetAside(row: NewSetAside): void
}

/** The next events, one of which cannot be read, each by itself. */
const fanOutOneByOne = async (
  database: Database,
  now: Instant,
  { onUnreadable, onSetAside }: FanOutEvents,
): Promise<number> => {
  const next = await database.rows(
    `SELECT merchant_id, id FROM events WHERE ${NEW} ORDER BY created_at, sequence, id LIMIT $1`,
    FANNED_OUT_AT_ONCE,
  )
  for (const row of next) {
    const event = { merchantId: text(row, 'merchant_id'), id: text(row, 'id') }
    try {
      for (const aside of (await fanOutNext(database, now, event)).setAside) onSetAside(aside)
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error
      await onUnreadable(event, error)
    }
  }
  return next.length
}

const THROW: FanOutEvents = {
  onUnreadable: async (_event, error) => {
    throw error
  },
  onSetAside: () => undefined,
}

/** Returns the number of events. */
export const fanOut = async (database: Database, now: Instant, heard = THROW): Promise<number> => {
  // Select first: the worker calls this twice a second, and a transaction takes the write lock of SQLite.
  if ((await oldestUnlisted(database)) === null) return 0
  try {
    const { events, setAside } = await fanOutNext(database, now, null)
    for (const row of setAside) heard.onSetAside(row)
    return events
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    return fanOutOneByOne(database, now, heard)
  }
}

/** The time of the oldest event that was not fanned out yet; null: there is none. */
export const oldestUnlisted = async (sql: Sql): Promise<Instant | null> => {
  const [row] = await sql.rows(`SELECT created_at FROM events WHERE ${NEW} ORDER BY created_at, sequence, id LIMIT 1`)
  return row === undefined ? null : integer(row, 'created_at')
}

/** The event after which a replay continues, the oldest first. */
export type EventPlace = readonly [createdAt: Instant, id: string]

const OF_SCOPE = 'merchant_id = $1 AND mode = $2 AND sequence > 0 AND (created_at, id) > ($3, $4)'
const REPLAYED_AT_ONCE = 250
/** After every event. */
const THE_END: EventPlace = [Number.MAX_SAFE_INTEGER, '']

/**
 * Sends the next events of a key's mode to one endpoint again, of the types that it takes. Returns how many, and the event after
 * which to continue; null: there are no more. In parts, because on SQLite nobody could pay during one large statement.
 */
export const replayNext = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  { id, types }: Pick<WebhookEndpoint, 'id' | 'types'>,
  after: EventPlace,
  now: Instant,
  asked: 'once' | 'again' = 'again',
): Promise<{ readonly deliveries: number; readonly next: EventPlace | null }> => {
  const [end] = await sql.rows(
    `SELECT created_at, id FROM events WHERE ${OF_SCOPE} ORDER BY created_at, id LIMIT 1 OFFSET $5`,
    merchantId,
    mode,
    ...after,
    REPLAYED_AT_ONCE - 1,
  )
  const next: EventPlace | null = end === undefined ? null : [integer(end, 'created_at'), text(end, 'id')]
  const known: readonly CheckoutEventType[] = types ?? []
  const chosen = known.map((_type, place) => `$${place + 9}`).join(', ')
  const ofType = known.length === 0 ? '' : `AND type IN (${chosen})`
  const rows = await sql.rows(
    `INSERT INTO deliveries (merchant_id, endpoint_id, event_id, sequence, state, step, claim, due_at, created_at)
     SELECT merchant_id, $7, id, sequence, 'pending', 0, 0, CASE WHEN created_at < $8 THEN created_at ELSE $8 END, $8
     FROM events WHERE ${OF_SCOPE} AND (created_at, id) <= ($5, $6) ${ofType}
     ${asked === 'once' ? ONCE : FROM_THE_FIRST_TRY} RETURNING event_id`,
    merchantId,
    mode,
    ...after,
    ...(next ?? THE_END),
    id,
    now,
    ...known,
  )
  return { deliveries: rows.length, next }
}
