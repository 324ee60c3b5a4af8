/** Webhooks: the addresses that are told of events, what was sent to each, and the calls about both. */
import { Type, type Static } from 'typebox'
import { MERCHANT_MODES, MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, merchantCall, NoBody, NoPath, queryCall } from '../calls.ts'
import { InstantText } from '../checkout.ts'
import { URL_MAX_LENGTH } from '../text-limits.ts'
import { CHECKOUT_EVENT_TYPES, DeliveriesAsked, EVENT_TYPES } from './events.ts'
import { PageQuery, pageOf } from './lists.ts'

const closed = { additionalProperties: false }

/** How many webhooks a merchant may have in each mode. */
export const ENDPOINTS_MAX = 16

export const REPLAY_DAYS_MAX = 30

export const DISABLED_WHY = ['merchant', 'gone', 'failing'] as const
export type DisabledWhy = (typeof DISABLED_WHY)[number]

const Url = Type.String({
  maxLength: URL_MAX_LENGTH,
  description: 'Where events are sent to: https, at a public address (http only to this machine, in development).',
})

const Types = Type.Array(Type.Enum([...CHECKOUT_EVENT_TYPES]), {
  minItems: 1,
  maxItems: CHECKOUT_EVENT_TYPES.length,
  uniqueItems: true,
  description: 'The types of events that are sent there.',
})

export const CreateWebhookBody = Type.Object(
  { url: Url, types: Type.Optional({ ...Types, description: 'The types of events to send. Left out: all.' }) },
  closed,
)
export type CreateWebhookBody = Static<typeof CreateWebhookBody>

export const ChangeWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    types: Type.Optional(
      Type.Union([Types, Type.Null()], { description: 'The types of events to send; null: all of them.' }),
    ),
    enabled: Type.Optional(
      Type.Boolean({ description: 'false: nothing is sent any more, and what waits is dropped. true: from now on.' }),
    ),
  },
  closed,
)
export type ChangeWebhookBody = Static<typeof ChangeWebhookBody>

const WebhookPath = Type.Object({
  webhookId: Type.String({ description: 'The id of the webhook.' }),
})

const facts = {
  id: Type.String({ description: 'The id of the webhook.' }),
  mode: Type.Enum([...MERCHANT_MODES], { description: 'It is told of checkouts of this mode.' }),
  url: Type.String({ description: 'Where events are sent to.' }),
  types: Type.Optional({ ...Types, description: 'The types that are sent; left out: all.' }),
  enabled: Type.Boolean({ description: 'Whether events are sent there.' }),
  disabledAt: Type.Optional({ ...InstantText, description: 'Since when nothing is sent.' }),
  disabledBecause: Type.Optional(
    Type.Enum([...DISABLED_WHY], {
      description: 'merchant: you said so. gone: it answered 410. failing: every try of five days failed.',
    }),
  ),
  failingSince: Type.Optional({ ...InstantText, description: 'Every try since then has failed.' }),
  createdAt: { ...InstantText, description: 'When it was made.' },
}

export const WebhookAnswer = Type.Object(facts, { ...closed, title: 'Webhook' })
export type WebhookAnswer = Static<typeof WebhookAnswer>

const Secret = Type.String({
  description: 'By which you verify what comes. It is shown this once; keep it where you keep your API key.',
})

const NewWebhookAnswer = Type.Object({ ...facts, secret: Secret }, { ...closed, title: 'NewWebhook' })

const RolledWebhookAnswer = Type.Object(
  {
    ...facts,
    secret: Secret,
    previousSecretUntil: { ...InstantText, description: 'Until then every try is signed with the secret before too.' },
  },
  { ...closed, title: 'RolledWebhook' },
)

const WebhookListAnswer = Type.Object(
  { items: Type.Array(WebhookAnswer, { description: 'The newest first. There are at most 16.' }) },
  { ...closed, title: 'WebhookList' },
)

const PingAnswer = Type.Object(
  { eventId: Type.String({ description: 'The event that is being sent; its delivery is in the list of deliveries.' }) },
  { ...closed, title: 'Ping' },
)

const ReplayBody = Type.Object(
  {
    since: Type.String({
      maxLength: 40,
      description: `A date in Japan such as 2026-11-30, or an instant; at most ${REPLAY_DAYS_MAX} days ago.`,
    }),
  },
  closed,
)

const Try = Type.Object(
  {
    at: { ...InstantText, description: 'When it began.' },
    tookMs: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
    status: Type.Optional(Type.Integer({ description: 'The status that your server answered.' })),
    problem: Type.Optional(Type.String({ description: 'Why there was no answer.' })),
    answer: Type.String({
      description:
        'The first kilobyte of the answer. A card number in it, and what may be its security code, is masked.',
    }),
  },
  closed,
)

const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'dropped'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
export const isDeliveryState = (value: string): value is DeliveryState =>
  DELIVERY_STATES.some((state) => state === value)

export const DeliveryAnswer = Type.Object(
  {
    eventId: Type.String({ description: 'The event that is sent.' }),
    type: Type.Enum([...EVENT_TYPES], { description: 'Its type.' }),
    status: Type.Enum([...DELIVERY_STATES], {
      description:
        'pending: it is tried again at nextTryAt. delivered: your server answered 2xx. failed: ten tries failed. dropped: the webhook was disabled.',
    }),
    createdAt: { ...InstantText, description: 'When the event was first to be sent there.' },
    nextTryAt: Type.Optional({
      ...InstantText,
      description: 'When it is tried next, or tried again if this try is lost.',
    }),
    tries: Type.Array(Try, { description: 'The tries of the last 30 days, the newest first.' }),
  },
  { ...closed, title: 'Delivery' },
)
export type DeliveryAnswer = Static<typeof DeliveryAnswer>

const DeliveryListAnswer = pageOf('DeliveryList', DeliveryAnswer)

export const createWebhook = merchantCall({
  ...MERCHANT_ROUTES.createWebhook,
  summary: 'Register an address that is told of events',
  params: NoPath,
  body: CreateWebhookBody,
  status: 201,
  answer: NewWebhookAnswer,
  errors: ['address_refused', 'too_many_webhooks'],
})

export const listWebhooks = bodilessCall({
  ...MERCHANT_ROUTES.listWebhooks,
  summary: 'List the webhooks',
  params: NoPath,
  answer: WebhookListAnswer,
  errors: [],
})

export const readWebhook = bodilessCall({
  ...MERCHANT_ROUTES.readWebhook,
  summary: 'Read a webhook',
  params: WebhookPath,
  answer: WebhookAnswer,
  errors: ['webhook_not_found'],
})

export const changeWebhook = merchantCall({
  ...MERCHANT_ROUTES.changeWebhook,
  summary: 'Change the address or the types of a webhook, or disable and enable it',
  params: WebhookPath,
  body: ChangeWebhookBody,
  status: 200,
  answer: WebhookAnswer,
  errors: ['webhook_not_found', 'address_refused'],
})

export const removeWebhook = bodilessCall({
  ...MERCHANT_ROUTES.removeWebhook,
  summary: 'Remove a webhook with its deliveries; nothing is sent there any more',
  params: WebhookPath,
  answer: WebhookAnswer,
  errors: ['webhook_not_found'],
})

export const pingWebhook = merchantCall({
  ...MERCHANT_ROUTES.pingWebhook,
  summary: 'Send an event webhook.ping to a webhook',
  params: WebhookPath,
  body: NoBody,
  status: 201,
  answer: PingAnswer,
  errors: ['webhook_not_found', 'webhook_disabled'],
})

export const rollWebhook = bodilessCall({
  ...MERCHANT_ROUTES.rollWebhook,
  summary: 'Make a new secret for a webhook; for 24 hours every try is signed with both',
  params: WebhookPath,
  answer: RolledWebhookAnswer,
  errors: ['webhook_not_found'],
})

export const replayWebhook = merchantCall({
  ...MERCHANT_ROUTES.replayWebhook,
  summary: 'Send all events since a time to a webhook once more',
  params: WebhookPath,
  body: ReplayBody,
  status: 201,
  answer: DeliveriesAsked,
  errors: ['webhook_not_found', 'webhook_disabled'],
})

export const listDeliveries = queryCall({
  ...MERCHANT_ROUTES.listDeliveries,
  summary: 'List what was sent to a webhook, the newest first',
  params: WebhookPath,
  query: PageQuery,
  answer: DeliveryListAnswer,
  errors: ['webhook_not_found'],
})
