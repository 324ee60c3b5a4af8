/** Events on the wire: what a merchant's server is told, by webhook and by the list of events. */
import { Type, type Static } from 'typebox'
import { InstantText } from './checkout.ts'
import { MERCHANT_MODES, MerchantCheckoutAnswer, RefundAnswer } from './merchant.ts'

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
  'alert.payment_in_doubt',
  'alert.card_testing',
] as const
export type CheckoutEventType = (typeof CHECKOUT_EVENT_TYPES)[number]

/** A ping tells of nothing but itself, and is sent whatever types an endpoint has chosen. */
const PING = 'webhook.ping'

export const EVENT_TYPES = [...CHECKOUT_EVENT_TYPES, PING] as const
export type EventType = (typeof EVENT_TYPES)[number]

export const isEventType = (value: string): value is EventType => EVENT_TYPES.some((type) => type === value)

/** What an event tells of, as it stood when the event was written. */
export const EventData = Type.Object(
  {
    checkout: Type.Optional(MerchantCheckoutAnswer),
    refund: Type.Optional(RefundAnswer),
    brakedUntil: Type.Optional({
      ...InstantText,
      description:
        'Of alert.card_testing: until then, and longer while issuers go on refusing, a challenge is asked for and only a card whose holder the issuer authenticates is charged.',
    }),
  },
  {
    ...closed,
    description: 'The checkout and, of refund.succeeded and refund.refused, the refund, as they stood then.',
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
