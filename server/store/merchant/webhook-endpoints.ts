/** Webhook endpoints in the database. No secret is here: see webhooks/signature.ts. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { CHECKOUT_EVENT_TYPES, type CheckoutEventType } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { isMerchantMode, type MerchantMode } from '#contract/access.ts'
import { DISABLED_WHY, type DisabledWhy } from '#contract/merchant/webhooks.ts'
import type { KeyScope } from './keys.ts'
import { integer, integerOrNull, jsonOrNull, oneOf, text, textOrNull } from '../engine/columns.ts'
import type { Row, Sql, Write } from '../engine/database.ts'
import { insertRows, jsonText } from '../engine/write.ts'

export interface WebhookEndpoint {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly url: string
  /** Null: all. */
  readonly types: readonly CheckoutEventType[] | null
  readonly generation: number
  readonly previousUntil: Instant | null
  /** Which secret key its secrets are derived of, by id; null: the current one. See secret-key-check.ts. */
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

const COLUMNS = [
  'merchant_id',
  'id',
  'mode',
  'url',
  'types',
  'generation',
  'previous_until',
  'secret_key_id',
  'previous_key_id',
  'created_at',
  'disabled_at',
  'disabled_why',
  'failing_since',
]

/** Stores an endpoint as it is now, new or not. */
export const endpointWrite = (endpoint: WebhookEndpoint): Write[] =>
  insertRows(
    'webhook_endpoints',
    COLUMNS,
    [
      [
        endpoint.merchantId,
        endpoint.id,
        endpoint.mode,
        endpoint.url,
        jsonText(endpoint.types),
        endpoint.generation,
        endpoint.previousUntil,
        endpoint.secretKeyId ?? null,
        endpoint.previousKeyId ?? null,
        endpoint.createdAt,
        endpoint.disabled?.at ?? null,
        endpoint.disabled?.why ?? null,
        endpoint.failingSince,
      ],
    ],
    `ON CONFLICT (merchant_id, id) DO UPDATE SET url = excluded.url, types = excluded.types,
       generation = excluded.generation, previous_until = excluded.previous_until,
       secret_key_id = excluded.secret_key_id, previous_key_id = excluded.previous_key_id, disabled_at = excluded.disabled_at,
       disabled_why = excluded.disabled_why, failing_since = excluded.failing_since`,
  )

/** All endpoints of a key's mode, the newest first. There are few: see `ENDPOINTS_MAX`. */
export const endpointsOf = async (sql: Sql, { merchantId, mode }: KeyScope, held = ''): Promise<WebhookEndpoint[]> => {
  const rows = await sql.rows(
    `SELECT * FROM webhook_endpoints WHERE merchant_id = $1 AND mode = $2 AND removed_at IS NULL
     ORDER BY created_at DESC, id DESC ${held}`,
    merchantId,
    mode,
  )
  return rows.map(endpointFromRow)
}

export const findEndpoint = async (
  sql: Sql,
  { merchantId, mode }: KeyScope,
  endpointId: string,
): Promise<WebhookEndpoint | null> => {
  const [row] = await sql.rows(
    'SELECT * FROM webhook_endpoints WHERE merchant_id = $1 AND id = $2 AND mode = $3 AND removed_at IS NULL',
    merchantId,
    endpointId,
    mode,
  )
  return row === undefined ? null : endpointFromRow(row)
}

/** An endpoint that no other transaction can change until this one ends; null where it has been removed. */
export const lockEndpoint = async (
  sql: Sql,
  { merchantId, endpointId }: EndpointRef,
): Promise<WebhookEndpoint | null> => {
  const [row] = await sql.rows(
    `UPDATE webhook_endpoints SET generation = generation WHERE merchant_id = $1 AND id = $2 AND removed_at IS NULL
     RETURNING *`,
    merchantId,
    endpointId,
  )
  return row === undefined ? null : endpointFromRow(row)
}

/** An endpoint that is of no use at this moment, though its merchant did not want that. */
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

/** Of all merchants. A small table, so that no index is needed. */
export const readTroubledEndpoints = async (sql: Sql): Promise<EndpointTotals> => {
  const rows = await sql.rows(
    `SELECT webhook_endpoints.*, label FROM webhook_endpoints JOIN merchants ON merchants.id = webhook_endpoints.merchant_id
     ORDER BY label, webhook_endpoints.created_at, webhook_endpoints.id`,
  )
  const endpoints = rows.map((row) => ({ endpoint: endpointFromRow(row), merchant: text(row, 'label') }))
  return {
    enabled: endpoints.filter(({ endpoint }) => endpoint.disabled === null).length,
    troubled: endpoints.flatMap(({ endpoint, merchant }) => {
      const trouble = troubleOf(endpoint)
      return trouble === null ? [] : [{ id: endpoint.id, merchant, trouble }]
    }),
  }
}
