/** Calls of the merchant API about webhooks and events. */
import { bodyErrors, merchantCall, merchantErrors, NoBody, NoPath, queryCall, queryErrors } from './calls.ts'
import { PageQuery } from './merchant-lists.ts'
import { WEBHOOK_PATHS } from './paths.ts'
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  DeliveriesAsked,
  DeliveryListAnswer,
  EventListAnswer,
  EventListQuery,
  EventPath,
  NewWebhookAnswer,
  PingAnswer,
  ReplayBody,
  RolledWebhookAnswer,
  WebhookAnswer,
  WebhookListAnswer,
  WebhookPath,
} from './webhooks.ts'

const full = { access: 'full' } as const

export const createWebhook = merchantCall({
  ...WEBHOOK_PATHS.createWebhook,
  lane: 'merchantCalls',
  ...full,
  summary: 'Register an address that is told of events',
  params: NoPath,
  body: CreateWebhookBody,
  status: 201,
  answer: NewWebhookAnswer,
  errors: ['address_refused', 'too_many_webhooks', ...merchantErrors, ...bodyErrors],
})

export const listWebhooks = merchantCall({
  ...WEBHOOK_PATHS.listWebhooks,
  lane: 'merchantCalls',
  ...full,
  summary: 'List the webhooks',
  params: NoPath,
  body: NoBody,
  status: 200,
  answer: WebhookListAnswer,
  errors: [...merchantErrors],
})

export const readWebhook = merchantCall({
  ...WEBHOOK_PATHS.readWebhook,
  lane: 'merchantCalls',
  ...full,
  summary: 'Read a webhook',
  params: WebhookPath,
  body: NoBody,
  status: 200,
  answer: WebhookAnswer,
  errors: ['webhook_not_found', ...merchantErrors],
})

export const changeWebhook = merchantCall({
  ...WEBHOOK_PATHS.changeWebhook,
  lane: 'merchantCalls',
  ...full,
  summary: 'Change the address or the types of a webhook, or disable and enable it',
  params: WebhookPath,
  body: ChangeWebhookBody,
  status: 200,
  answer: WebhookAnswer,
  errors: ['webhook_not_found', 'address_refused', ...merchantErrors, ...bodyErrors],
})

export const removeWebhook = merchantCall({
  ...WEBHOOK_PATHS.removeWebhook,
  lane: 'dearCalls',
  ...full,
  summary: 'Remove a webhook with its deliveries; nothing is sent there any more',
  params: WebhookPath,
  body: NoBody,
  status: 200,
  answer: WebhookAnswer,
  errors: ['webhook_not_found', ...merchantErrors, ...bodyErrors],
})

export const pingWebhook = merchantCall({
  ...WEBHOOK_PATHS.pingWebhook,
  lane: 'merchantCalls',
  ...full,
  summary: 'Send an event webhook.ping to a webhook',
  params: WebhookPath,
  body: NoBody,
  status: 201,
  answer: PingAnswer,
  errors: ['webhook_not_found', 'webhook_disabled', ...merchantErrors, ...bodyErrors],
})

export const rollWebhook = merchantCall({
  ...WEBHOOK_PATHS.rollWebhook,
  lane: 'merchantCalls',
  ...full,
  summary: 'Make a new secret for a webhook; for 24 hours every try is signed with both',
  params: WebhookPath,
  body: NoBody,
  status: 200,
  answer: RolledWebhookAnswer,
  errors: ['webhook_not_found', ...merchantErrors, ...bodyErrors],
})

export const replayWebhook = merchantCall({
  ...WEBHOOK_PATHS.replayWebhook,
  lane: 'dearCalls',
  ...full,
  summary: 'Send all events since a time to a webhook once more',
  params: WebhookPath,
  body: ReplayBody,
  status: 201,
  answer: DeliveriesAsked,
  errors: ['webhook_not_found', 'webhook_disabled', ...merchantErrors, ...bodyErrors],
})

export const listDeliveries = queryCall({
  ...WEBHOOK_PATHS.listDeliveries,
  lane: 'dearCalls',
  ...full,
  summary: 'List what was sent to a webhook, the newest first',
  params: WebhookPath,
  query: PageQuery,
  answer: DeliveryListAnswer,
  errors: ['webhook_not_found', ...queryErrors],
})

export const listEvents = queryCall({
  ...WEBHOOK_PATHS.listEvents,
  lane: 'dearCalls',
  ...full,
  summary: 'List events, the newest first',
  params: NoPath,
  query: EventListQuery,
  answer: EventListAnswer,
  errors: queryErrors,
})

export const redeliverEvent = merchantCall({
  ...WEBHOOK_PATHS.redeliverEvent,
  lane: 'merchantCalls',
  ...full,
  summary: 'Send an event once more to every webhook that takes its type',
  params: EventPath,
  body: NoBody,
  status: 201,
  answer: DeliveriesAsked,
  errors: ['event_not_found', ...merchantErrors, ...bodyErrors],
})
