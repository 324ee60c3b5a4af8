/** Events: what a merchant's server is told, by webhook and by the list of events, and the calls that list and resend them. */
import { Type, type Static } from 'typebox'
import { MERCHANT_MODES, MERCHANT_ROUTES } from '../access.ts'
import { merchantCall, NoBody, NoPath, queryCall } from '../calls.ts'
import { InstantText } from '../checkout.ts'
import { MerchantCheckoutAnswer } from './checkout-answer.ts'
import { DisputeAnswer } from './disputes.ts'
import { Moment, pageWith, paging } from './lists.ts'
import { RefundAnswer } from './refunds.ts'

const closed = { additionalProperties: false }

/** Events of a checkout, in the order of its life. */
export const CHECKOUT_EVENT_TYPES = [
  'checkout.paid',
  'checkout.failed',
  'checkout.cancelled',
  'checkout.expired',
  'checkout.refunded',
  'refund.succeeded',
  'refund.refused',
  'dispute.opened',
  'dispute.updated',
  'dispute.closed',
  'alert.payment_in_doubt',
  'alert.card_testing',
] as const
export type CheckoutEventType = (typeof CHECKOUT_EVENT_TYPES)[number]

/** A ping is sent to a webhook whatever types of events it has chosen. */
const PING = 'webhook.ping'

export const EVENT_TYPES = [...CHECKOUT_EVENT_TYPES, PING] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const isEventType = (value: string): value is EventType => EVENT_TYPES.some((type) => type === value)

/** The checkout, refund or dispute of an event, as it was when the event was written. */
export const EventData = Type.Object(
  {
    checkout: Type.Optional(MerchantCheckoutAnswer),
    refund: Type.Optional(RefundAnswer),
    dispute: Type.Optional(DisputeAnswer),
    brakedUntil: Type.Optional({
      ...InstantText,
      description:
        'Of alert.card_testing: the end of the forced challenge. Until then, and longer while issuers go on refusing, a challenge is asked for and only a card whose holder the issuer authenticates is charged.',
    }),
  },
  {
    ...closed,
    description:
      'The checkout and, of refund.succeeded and refund.refused, the refund, of dispute.opened, dispute.updated and dispute.closed, the dispute, as they stood then.',
  },
)
export type EventData = Static<typeof EventData>

export const EventAnswer = Type.Object(
  {
    id: Type.String({
      description: 'The id of the event: the same on every try, by which to tell that it came twice.',
    }),
    type: Type.Enum([...EVENT_TYPES], { description: 'What happened.' }),
    timestamp: { ...InstantText, description: 'When it happened.' },
    mode: Type.Enum([...MERCHANT_MODES], { description: 'The mode of the checkout.' }),
    sequence: Type.Integer({
      minimum: 0,
      description: 'Counts the events of one checkout from 1, without a gap. A ping has 0.',
    }),
    data: EventData,
  },
  { ...closed, title: 'Event' },
)
export type EventAnswer = Static<typeof EventAnswer>

const EventPath = Type.Object({ eventId: Type.String({ description: 'The id of the event.' }) })

const EventListAnswer = pageWith('EventList', EventAnswer, {
  gap: Type.Optional(
    Type.Boolean({
      description:
        'True: the event that `newerThan` names is not kept any more, and others after it may be gone too. The list begins with the oldest event that is kept; what happened before it, List checkouts and List refunds still say.',
    }),
  ),
})

const EventListQuery = Type.Object(
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

export const DeliveriesAsked = Type.Object(
  { deliveries: Type.Integer({ minimum: 0, description: 'How many deliveries will be tried now.' }) },
  { ...closed, title: 'DeliveriesAsked' },
)

export const listEvents = queryCall({
  ...MERCHANT_ROUTES.listEvents,
  summary: 'List events, the newest first',
  params: NoPath,
  query: EventListQuery,
  answer: EventListAnswer,
  errors: [],
})

export const redeliverEvent = {
  ...merchantCall({
    ...MERCHANT_ROUTES.redeliverEvent,
    summary: 'Send an event once more to every webhook that takes its type, or to one of them',
    params: EventPath,
    body: NoBody,
    status: 201,
    answer: DeliveriesAsked,
    errors: ['event_not_found', 'webhook_not_found', 'webhook_disabled'],
  }),
  query: Type.Object(
    {
      webhookId: Type.Optional(Type.String({ maxLength: 100, description: 'The id of a webhook: to this one alone.' })),
    },
    closed,
  ),
}
