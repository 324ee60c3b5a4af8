/** Webhook endpoints. Signing secrets are not stored: webhooks/signature.ts derives them. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CHECKOUT_EVENT_TYPES, type CheckoutEventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { DISABLED_WHY, type DisabledWhy } from '#contract/merchant/webhooks.ts'
import type { KeyScope } from './keys.ts'
import {
  integer,
  integerOrNull,
  jsonOrNull,
  oneOf,
  prefixedColumns,
  readEach,
  text,
  textOrNull,
  type OnUnreadable,
} from '../engine/columns.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { jsonText, insertRecords } from '../engine/write.ts'

export interface WebhookEndpoint {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly url: string
  /** Null: all. */
  readonly types: readonly CheckoutEventType[] | null
  readonly generation: number
  readonly previousUntil: Instant | null
  /** The id of the secret key that its signing secrets are derived from; null: the current one. See secret-key-check.ts. */
  readonly secretKeyId?: string | null
  readonly previousKeyId?: string | null
  readonly createdAt: Instant
  readonly disabled: { readonly at: Instant; readonly why: DisabledWhy } | null
  readonly failingSince: Instant | null
}

export interface EndpointRef {
  readonly merchantId: string
  readonly endpointId: string
}

const storedTypes = Compile(Type.Array(Type.Enum([...CHECKOUT_EVENT_TYPES])))

const isWhy = (value: string): value is DisabledWhy => DISABLED_WHY.some((why) => why === value)

export const ENDPOINT_COLUMNS = `merchant_id, id, mode, url, types, generation, previous_until, secret_key_id, previous_key_id,
  created_at, disabled_at, disabled_why, failing_since`

export const endpointFromRow = (row: Row): WebhookEndpoint => {
  const disabledAt = integerOrNull(row, 'disabled_at')
  return {
    merchantId: text(row, 'merchant_id'),
    id: text(row, 'id'),
    mode: oneOf(row, 'mode', isMerchantMode),
    url: text(row, 'url'),
    types: jsonOrNull(row, 'types', storedTypes),
    generation: integer(row, 'generation'),
    previousUntil: integerOrNull(row, 'previous_until'),
    secretKeyId: textOrNull(row, 'secret_key_id'),
    previousKeyId: textOrNull(row, 'previous_key_id'),
    createdAt: integer(row, 'created_at'),
    disabled: disabledAt === null ? null : { at: disabledAt, why: oneOf(row, 'disabled_why', isWhy) },
    failingSince: integerOrNull(row, 'failing_since'),
  }
}

/** Stores a new or changed endpoint. */
export const endpointWrite = (endpoint: WebhookEndpoint): Write[] =>
  insertRecords(
    'webhook_endpoints',
    [
      {
        merchant_id: endpoint.merchantId,
        id: endpoint.id,
        mode: endpoint.mode,
        url: endpoint.url,
        types: jsonText(endpoint.types),
        generation: endpoint.generation,
        previous_until: endpoint.previousUntil,
        secret_key_id: endpoint.secretKeyId ?? null,
        previous_key_id: endpoint.previousKeyId ?? null,
        created_at: endpoint.createdAt,
        disabled_at: endpoint.disabled?.at ?? null,
        disabled_why: endpoint.disabled?.why ?? null,
        failing_since: endpoint.failingSince,
      },
    ],
    `ON CONFLICT (merchant_id, id) DO UPDATE SET url = excluded.url, types = excluded.types,
       generation = excluded.generation, previous_until = excluded.previous_until,
       secret_key_id = excluded.secret_key_id, previous_key_id = excluded.previous_key_id, disabled_at = excluded.disabled_at,
       disabled_why = excluded.disabled_why, failing_since = excluded.failing_since`,
  )

/** All endpoints of a key's mode, the newest first. There are few: see `ENDPOINTS_MAX`. */
export const endpointsOf = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  held = '',
  onUnreadable?: OnUnreadable,
): Promise<WebhookEndpoint[]> => {
  const rows = await sql.rows(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL
     ORDER BY created_at DESC, id DESC ${held}`,
    merchantId,
    mode,
  )
  return readEach(rows, endpointFromRow, onUnreadable)
}

export const findEndpoint = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  endpointId: string,
): Promise<WebhookEndpoint | null> => {
  const [row] = await sql.rows(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
     WHERE merchant_id = $1 AND id = $2 AND mode = $3 AND removed_at IS NULL`,
    merchantId,
    endpointId,
    mode,
  )
  return row === undefined ? null : endpointFromRow(row)
}

/** Locks an endpoint until this transaction ends; null where it has been removed. */
export const lockEndpoint = async (
  sql: Sql,
  { merchantId, endpointId }: EndpointRef,
): Promise<WebhookEndpoint | null> => {
  const [row] = await sql.rows(
    `UPDATE webhook_endpoints SET generation = generation WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL
     RETURNING ${ENDPOINT_COLUMNS}`,
    merchantId,
    endpointId,
  )
  return row === undefined ? null : endpointFromRow(row)
}

/** An endpoint that fails, or was disabled by us and not by its merchant. */
export interface TroubledEndpoint {
  readonly id: string
  /** Its label. */
  readonly merchant: string
  readonly trouble:
    | { readonly is: 'failing'; readonly since: Instant }
    | { readonly is: 'disabled'; readonly since: Instant; readonly why: Exclude<DisabledWhy, 'merchant'> }
}

export interface EndpointTotals {
  readonly enabled: number
  readonly troubled: readonly TroubledEndpoint[]
}

const troubleOf = ({ disabled, failingSince }: WebhookEndpoint): TroubledEndpoint['trouble'] | null => {
  if (disabled !== null)
    return disabled.why === 'merchant' ? null : { is: 'disabled', since: disabled.at, why: disabled.why }
  return failingSince === null ? null : { is: 'failing', since: failingSince }
}

/** Of all merchants. The table is small, so it needs no index. */
export const readTroubledEndpoints = async (sql: Sql): Promise<EndpointTotals> => {
  const rows = await sql.rows(
    `SELECT ${prefixedColumns(ENDPOINT_COLUMNS, 'webhook_endpoints', '')}, label
     FROM webhook_endpoints JOIN merchants ON merchants.id = webhook_endpoints.merchant_id
     ORDER BY label, webhook_endpoints.created_at, webhook_endpoints.id`,
  )
  const endpoints = readEach(
    rows,
    (row) => ({ endpoint: endpointFromRow(row), merchant: text(row, 'label') }),
    // Named by the worker, as what is set aside.
    () => undefined,
  )
  return {
    enabled: endpoints.filter(({ endpoint }) => endpoint.disabled === null).length,
    troubled: endpoints.flatMap(({ endpoint, merchant }) => {
      const trouble = troubleOf(endpoint)
      return trouble === null ? [] : [{ id: endpoint.id, merchant, trouble }]
    }),
  }
}
