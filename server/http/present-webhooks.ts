/** Answers about webhooks and their deliveries. */
import type { DeliveryAnswer, WebhookAnswer } from '#contract/webhooks.ts'
import { iso, when } from '#payment/merchant-view.ts'
import type { ListedDelivery, ListedTry } from '../store/outbox/event-list.ts'
import type { WebhookEndpoint } from '../store/merchant/webhook-endpoints.ts'

export const presentWebhook = (endpoint: WebhookEndpoint): WebhookAnswer => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  ...when(endpoint.types, (types) => ({ types: [...types] })),
  enabled: endpoint.disabled === null,
  ...when(endpoint.disabled, ({ at, why }) => ({ disabledAt: iso(at), disabledBecause: why })),
  ...when(endpoint.failingSince, (since) => ({ failingSince: iso(since) })),
  createdAt: iso(endpoint.createdAt),
})

const presentTry = ({ at, tookMs, status, problem, answer }: ListedTry): DeliveryAnswer['tries'][number] => ({
  at: iso(at),
  tookMs,
  ...when(status, (answered) => ({ status: answered })),
  ...when(problem, (why) => ({ problem: why })),
  answer,
})

export const presentDelivery = ({ eventId, type, state, createdAt, dueAt, tries }: ListedDelivery): DeliveryAnswer => ({
  eventId,
  type,
  status: state,
  createdAt: iso(createdAt),
  ...when(dueAt, (at) => ({ nextTryAt: iso(at) })),
  tries: tries.map(presentTry),
})
