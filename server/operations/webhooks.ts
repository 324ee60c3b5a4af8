/** Webhooks: a merchant registers, changes and removes endpoints, and asks for events again. */
import { isRefusal, refuse, refuseField, type Refusal } from '#contract/errors.ts'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import {
  ENDPOINTS_MAX,
  REPLAY_DAYS_MAX,
  type ChangeWebhookBody,
  type CreateWebhookBody,
} from '#contract/merchant/webhooks.ts'
import { ROLLING_MS } from '#payment/webhook-retries.ts'
import type { Dependencies } from '../dependencies.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { dropPending, removeEndpoint } from '../store/outbox/clear-endpoints.ts'
import { deliveriesWrite } from '../store/outbox/deliveries.ts'
import { findEvent } from '../store/outbox/event-list.ts'
import { pingWrite } from '../store/outbox/events.ts'
import { endpointsTold, replayNext, type EventPlace } from '../store/outbox/fan-out.ts'
import {
  endpointsOf,
  endpointWrite,
  findEndpoint,
  lockEndpoint,
  type WebhookEndpoint,
} from '../store/merchant/webhook-endpoints.ts'
import type { Sql } from '../store/engine/database.ts'

export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint
  readonly secret: string
}

const ENDPOINT_ID = /^we_[a-z2-7]{32}$/

/** Any other text is not looked up: a zero byte in it would be an error of PostgreSQL. */
const isEndpointId = (text: string): boolean => ENDPOINT_ID.test(text)

const withSecret = ({ webhookSecret }: Dependencies, endpoint: WebhookEndpoint): EndpointWithSecret => ({
  endpoint,
  secret: webhookSecret(endpoint.id, endpoint.generation, endpoint.secretKeyId),
})

export const createWebhook = async (
  deps: Dependencies,
  scope: KeyScope,
  { url: text, types }: CreateWebhookBody,
): Promise<EndpointWithSecret | Refusal> => {
  const url = await deps.readWebhookAddress(text)
  if (typeof url !== 'string') return url
  const endpoint: WebhookEndpoint = {
    ...scope,
    id: `we_${deps.random.id()}`,
    url,
    types: types ?? null,
    generation: 1,
    previousUntil: null,
    // Named, because another server may use another key as its current one while that is rotated.
    secretKeyId: deps.webhookKeyId,
    createdAt: deps.clock.now(),
    disabled: null,
    failingSince: null,
  }
  const isStored = await deps.database.transact(async (sql) => {
    // Without the lock two requests at once would both take the last place.
    await sql.lockNames(`webhooks ${scope.merchantId} ${scope.mode}`)
    if ((await endpointsOf(sql, scope)).length >= ENDPOINTS_MAX) return false
    await sql.writeAll(endpointWrite(endpoint))
    return true
  })
  return isStored ? withSecret(deps, endpoint) : refuse('too_many_webhooks', { most: ENDPOINTS_MAX })
}

export const readWebhook = async (
  { database }: Dependencies,
  scope: KeyScope,
  id: string,
): Promise<WebhookEndpoint | Refusal> =>
  (isEndpointId(id) ? await findEndpoint(database, scope, id) : null) ?? refuse('webhook_not_found')

/** One change of an endpoint at a time, under its lock. */
const withEndpoint = async <T extends object | string>(
  deps: Dependencies,
  scope: KeyScope,
  id: string,
  work: (sql: Sql, endpoint: WebhookEndpoint) => Promise<T | Refusal>,
): Promise<T | Refusal> => {
  const found = await readWebhook(deps, scope, id)
  if (isRefusal(found)) return found
  return deps.database.transact(async (sql) => {
    const endpoint = await lockEndpoint(sql, { merchantId: scope.merchantId, endpointId: id })
    return endpoint === null ? refuse('webhook_not_found') : work(sql, endpoint)
  })
}

const nextDisabled = (
  { disabled }: WebhookEndpoint,
  enabled: boolean | undefined,
  now: Instant,
): WebhookEndpoint['disabled'] => {
  if (enabled === undefined) return disabled
  return enabled ? null : (disabled ?? { at: now, why: 'merchant' })
}

export const changeWebhook = async (
  deps: Dependencies,
  scope: KeyScope,
  id: string,
  { url: text, types, enabled }: ChangeWebhookBody,
): Promise<WebhookEndpoint | Refusal> => {
  const url = text === undefined ? undefined : await deps.readWebhookAddress(text)
  if (typeof url === 'object') return url
  const ref = { merchantId: scope.merchantId, endpointId: id }
  const change = () =>
    withEndpoint(deps, scope, id, async (sql, endpoint): Promise<WebhookEndpoint | 'not yet'> => {
      const now = deps.clock.now()
      const disabled = nextDisabled(endpoint, enabled, now)
      const isEnabledAgain = endpoint.disabled !== null && disabled === null
      // Deliveries that waited when it was disabled must not be sent now.
      if (isEnabledAgain && (await dropPending(sql, ref, now))) return 'not yet'
      const isMoved = url !== undefined && url !== endpoint.url
      const next: WebhookEndpoint = {
        ...endpoint,
        url: url ?? endpoint.url,
        types: types === undefined ? endpoint.types : types,
        disabled,
        // Reset: otherwise the first failure would disable it again, or a new address would be disabled for the old one.
        failingSince: isEnabledAgain || isMoved ? null : endpoint.failingSince,
      }
      await sql.writeAll(endpointWrite(next))
      if (disabled !== null) await dropPending(sql, ref, now)
      return next
    })
  for (;;) {
    const changed = await change()
    if (changed !== 'not yet') return changed
  }
}

export const removeWebhook = (deps: Dependencies, scope: KeyScope, id: string): Promise<WebhookEndpoint | Refusal> =>
  withEndpoint(deps, scope, id, async (sql, endpoint) => {
    const now = deps.clock.now()
    await removeEndpoint(sql, { merchantId: scope.merchantId, endpointId: id }, now)
    return { ...endpoint, disabled: nextDisabled(endpoint, false, now) }
  })

/** The key, beside the current one, from which earlier secrets are derived: they sign for another day. */
const keyBefore = (
  { secretKeyId = null, previousKeyId = null }: WebhookEndpoint,
  currentKeyId: string,
): string | null => (secretKeyId === null || secretKeyId === currentKeyId ? previousKeyId : secretKeyId)

export const rollWebhook = (
  deps: Dependencies,
  scope: KeyScope,
  id: string,
): Promise<(EndpointWithSecret & { readonly previousUntil: Instant }) | Refusal> =>
  withEndpoint(deps, scope, id, async (sql, endpoint) => {
    const previousUntil = deps.clock.now() + ROLLING_MS
    const rolled: WebhookEndpoint = {
      ...endpoint,
      generation: endpoint.generation + 1,
      previousUntil,
      // The new secret is derived from the current secret key, whatever key the old one was derived from.
      secretKeyId: deps.webhookKeyId,
      previousKeyId: keyBefore(endpoint, deps.webhookKeyId),
    }
    await sql.writeAll(endpointWrite(rolled))
    return { ...withSecret(deps, rolled), previousUntil }
  })

export const pingWebhook = (
  deps: Dependencies,
  scope: KeyScope,
  id: string,
): Promise<{ readonly eventId: string } | Refusal> =>
  withEndpoint(deps, scope, id, async (sql, { disabled }) => {
    if (disabled !== null) return refuse('webhook_disabled')
    const now = deps.clock.now()
    const ping = pingWrite(scope, deps.random.id(), now)
    await sql.writeAll([...ping.write, ...deliveriesWrite([{ endpointId: id, event: ping.event }], now, 'once')])
    return { eventId: ping.event.id }
  })

export const replayWebhook = async (
  deps: Dependencies,
  scope: KeyScope,
  id: string,
  since: Instant,
): Promise<{ readonly deliveries: number } | Refusal> => {
  const now = deps.clock.now()
  if (since < now - REPLAY_DAYS_MAX * DAY_MS)
    return refuseField('since', `is too early: ask for at most ${REPLAY_DAYS_MAX} days.`)
  let deliveries = 0
  for (let after: EventPlace | null = [since, '']; after !== null;) {
    const place: EventPlace = after
    const replayed = await withEndpoint(deps, scope, id, async (sql, endpoint) =>
      endpoint.disabled === null ? replayNext(sql, scope, endpoint, place, now) : refuse('webhook_disabled'),
    )
    if (isRefusal(replayed)) return replayed
    deliveries += replayed.deliveries
    after = replayed.next
  }
  return { deliveries }
}

/** Sends an event again to all endpoints that take its type, or to one of these. */
export const redeliverEvent = async (
  deps: Dependencies,
  scope: KeyScope,
  eventId: string,
  webhookId: string | null,
): Promise<{ readonly deliveries: number } | Refusal> => {
  const event = await findEvent(deps.database, scope, eventId)
  if (event === null) return refuse('event_not_found')
  const sendAgain = async (sql: Sql) => {
    const told = await endpointsTold(sql, scope, event.type)
    const made = told
      .filter(({ id }) => webhookId === null || id === webhookId)
      .map(({ id: endpointId }) => ({ endpointId, event }))
    await sql.writeAll(deliveriesWrite(made, deps.clock.now(), 'again'))
    return { deliveries: made.length }
  }
  if (webhookId === null) return deps.database.transact(sendAgain)
  return withEndpoint(deps, scope, webhookId, async (sql, { disabled }) =>
    disabled === null ? sendAgain(sql) : refuse('webhook_disabled'),
  )
}
