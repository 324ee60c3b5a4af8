/** Signature of a webhook, as Standard Webhooks has it: secrets that are derived and never stored, headers, body. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { EventAnswer } from '#contract/merchant/events.ts'
import type { Instant } from '#contract/jst.ts'
import { iso } from '#contract/answer-fields.ts'
import { secretKeyId } from '../config/secret-key-id.ts'
import type { StoredEvent } from '../store/outbox/events.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** The secret of one generation of an endpoint, derived from the secret key with this id; null: the current one. */
export type WebhookSecret = (endpointId: string, generation: number, keyId?: string | null) => string

/**
 * Whoever has the database has no secret: it takes SECRET_KEY too. A key that is not there any more was retired: what was
 * derived from it has ended, and the current one signs.
 */
export const createWebhookSecret = (current: string, ...earlier: readonly string[]): WebhookSecret => {
  const byId = new Map(earlier.map((key) => [secretKeyId(key), key]))
  return (endpointId, generation, keyId = null) => {
    const secretKey = (keyId === null ? undefined : byId.get(keyId)) ?? current
    const info = `kaikei webhook ${endpointId} ${generation}`
    return PREFIX + Buffer.from(hkdfSync('sha256', secretKey, '', info, SECRET_BYTES)).toString('base64')
  }
}

/** Of an endpoint, what decides which of its secrets sign. */
export interface SigningKeys {
  readonly id: string
  readonly generation: number
  readonly previousUntil: Instant | null
  /** Which secret key each is derived from, by its id; null: the current one. */
  readonly secretKeyId?: string | null
  readonly previousKeyId?: string | null
}

const GENERATIONS_MAX = 5

/**
 * For a day after a roll those before it sign too. All of them and not the last alone: who rolls twice in a day, because the
 * first answer was lost, still verifies with the one before that.
 */
const secretsAt = (secretOf: WebhookSecret, endpoint: SigningKeys, now: Instant): string[] => {
  const { id, generation, previousUntil, secretKeyId: keyId = null, previousKeyId = null } = endpoint
  const isRolling = previousUntil !== null && now < previousUntil
  const length = isRolling ? Math.min(generation, GENERATIONS_MAX) - 1 : 0
  const earlier = Array.from({ length }, (_none, place) => generation - 1 - place)
  // Of either key: the secret key may have been rotated between any two of them.
  const before = earlier.flatMap((each) => [secretOf(id, each, keyId), secretOf(id, each, previousKeyId)])
  return [...new Set([secretOf(id, generation, keyId), ...before])]
}

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`

export const presentEvent = ({ id, type, createdAt, mode, sequence, data }: StoredEvent): EventAnswer => ({
  id,
  type,
  timestamp: iso(createdAt),
  mode,
  sequence,
  data,
})

/** The headers of Standard Webhooks, with a signature for each of the secrets. */
export const signedHeaders = (
  secrets: readonly string[],
  id: string,
  body: string,
  now: Instant,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now / 1000))
  return {
    'content-type': 'application/json',
    'user-agent': 'Kaikei-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`)).join(' '),
  }
}

/** The body of an event with the headers by which its receiver tells that it is ours and how old this try is. */
export const signedRequest = (
  secretOf: WebhookSecret,
  endpoint: SigningKeys,
  event: StoredEvent,
  now: Instant,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } => {
  const body = JSON.stringify(presentEvent(event))
  return { body, headers: signedHeaders(secretsAt(secretOf, endpoint, now), event.id, body, now) }
}
