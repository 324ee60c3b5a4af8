/** Webhooks on the wire: endpoints, deliveries and their tries, lists of events. */
import { Type, type Static } from 'typebox'
import { InstantText } from './checkout.ts'
import { CHECKOUT_EVENT_TYPES, EVENT_TYPES, EventAnswer } from './events.ts'
import { Moment, pageOf, pageWith, paging } from './merchant-lists.ts'
import { MERCHANT_MODES, URL_MAX_LENGTH } from './merchant.ts'

const closed = { additionalProperties: false }

/** Of each mode of a merchant. */
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

export const WebhookPath = Type.Object({
  webhookId: Type.String({ maxLength: 100, description: 'The id of the webhook.' }),
})
export const EventPath = Type.Object({ eventId: Type.String({ maxLength: 100, description: 'The id of the event.' }) })

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

export const NewWebhookAnswer = Type.Object({ ...facts, secret: Secret }, { ...closed, title: 'NewWebhook' })

export const RolledWebhookAnswer = Type.Object(
  {
    ...facts,
    secret: Secret,
    previousSecretUntil: { ...InstantText, description: 'Until then every try is signed with the secret before too.' },
  },
  { ...closed, title: 'RolledWebhook' },
)

export const WebhookListAnswer = Type.Object(
  { items: Type.Array(WebhookAnswer, { description: 'The newest first. There are at most 16.' }) },
  { ...closed, title: 'WebhookList' },
)

export const DeliveriesAsked = Type.Object(
  { deliveries: Type.Integer({ minimum: 0, description: 'How many deliveries will be tried now.' }) },
  { ...closed, title: 'DeliveriesAsked' },
)

export const PingAnswer = Type.Object(
  { eventId: Type.String({ description: 'The event that is being sent; its delivery is in the list of deliveries.' }) },
  { ...closed, title: 'Ping' },
)

export const ReplayBody = Type.Object(
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

export const DeliveryListAnswer = pageOf('DeliveryList', DeliveryAnswer)
export const EventListAnswer = pageWith('EventList', EventAnswer, {
  gap: Type.Optional(
    Type.Boolean({
      description:
        'True: the event that `newerThan` names is not kept any more, and others after it may be gone too. The list begins with the oldest event that is kept; what happened before it, List checkouts and List refunds still say.',
    }),
  ),
})

export const EventListQuery = Type.Object(
  {
    createdFrom: Moment('Listed at this time or later, which is a moment after it happened'),
    createdTo: Moment('Listed at this time or earlier'),
    newerThan: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The id of an event: only those listed after it. To pull, send the newest that you have and read all pages: none is missed. Events are kept for 90 days: the newest that was forgotten is still known, and after an older one the answer has a `gap`.',
      }),
    ),
    ...paging,
  },
  closed,
)
export type EventListQuery = Static<typeof EventListQuery>
