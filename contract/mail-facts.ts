/** Mail facts: what each mail tells, stored with what it tells of and drawn when it is sent. */
import { Type, type Static } from 'typebox'
import { InvoiceFacts, ReturnInvoiceFacts } from './invoice.ts'
import { NOTIFICATION_TOPICS } from './notification-settings.ts'

/** State of a mail. */
export const MAIL_STATES = ['waiting', 'sending', 'sent', 'refused', 'given_up'] as const
export type MailState = (typeof MAIL_STATES)[number]

export const isMailState = (word: string): word is MailState => MAIL_STATES.some((state) => state === word)

const closed = { additionalProperties: false }

const attemptFacts = {
  mode: Type.Enum(['test', 'live']),
  amountYen: Type.Integer(),
  subject: Type.Union([Type.String(), Type.Null()]),
  /** Null: a restore has lost it. */
  card: Type.Union([Type.Object({ brand: Type.String(), lastFour: Type.String() }, closed), Type.Null()]),
}

const paymentFacts = {
  ...attemptFacts,
  transactionId: Type.String(),
  paidAt: Type.Integer(),
}

/** What a mail to a shopper tells. */
export const MailFacts = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('receipt'),
      ...paymentFacts,
      /** Null: the receipt is no invoice. */
      invoice: Type.Union([InvoiceFacts, Type.Null()]),
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('refund'),
      ...paymentFacts,
      refundedYen: Type.Integer(),
      refundedAt: Type.Integer(),
      invoice: Type.Union([ReturnInvoiceFacts, Type.Null()]),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal('nothing_charged'), ...attemptFacts }, closed),
])
export type MailFacts = Readonly<Static<typeof MailFacts>>

/** What a mail to a shop tells about one of its webhooks. */
export const EndpointMailFacts = Type.Object(
  {
    mode: Type.Enum(['test', 'live']),
    endpointId: Type.String(),
    /** Host and path: a query or a user may hold a secret of the shop. */
    address: Type.String(),
    failingSince: Type.Integer(),
    lastAnswer: Type.Union([
      Type.Object({ status: Type.Integer() }, closed),
      /** There was no answer, and why. */
      Type.Object({ problem: Type.String() }, closed),
    ]),
  },
  closed,
)
export type EndpointMailFacts = Readonly<Static<typeof EndpointMailFacts>>

const notifiedFacts = {
  mode: Type.Enum(['test', 'live']),
  checkoutId: Type.String(),
  amountYen: Type.Integer(),
  reference: Type.Union([Type.String(), Type.Null()]),
  subject: Type.Union([Type.String(), Type.Null()]),
  /** True: the mails that would follow in this hour are summed up in one. */
  isLastOfHour: Type.Boolean(),
}

const chargedFacts = {
  ...notifiedFacts,
  card: Type.Optional(Type.Object({ brand: Type.String(), number: Type.String() }, closed)),
  transactionId: Type.String(),
  paidAt: Type.Integer(),
}

/** What a mail to a shop tells about a payment. It holds nothing about the shopper. */
export const NotificationFacts = Type.Union([
  Type.Object({ kind: Type.Literal('shop_paid'), ...chargedFacts }, closed),
  Type.Object(
    {
      kind: Type.Literal('shop_refunded'),
      ...chargedFacts,
      refundYen: Type.Integer(),
      refundedAt: Type.Integer(),
      /** All refunds of the payment, this one included. */
      refundedSoFarYen: Type.Integer(),
    },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal('shop_refund_refused'), ...chargedFacts, refundYen: Type.Integer(), refundId: Type.String() },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('shop_dispute'),
      ...notifiedFacts,
      disputeId: Type.String(),
      status: Type.Enum(['inquiry', 'open', 'won', 'lost']),
      disputeYen: Type.Integer(),
      withdrawnYen: Type.Integer(),
      reason: Type.Union([Type.String(), Type.Null()]),
      respondBy: Type.Union([Type.Integer(), Type.Null()]),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal('shop_payment_in_doubt'), ...notifiedFacts, since: Type.Integer() }, closed),
  Type.Object({ kind: Type.Literal('shop_card_testing'), ...notifiedFacts, until: Type.Integer() }, closed),
  /** One mail for the events of an hour that were too many for a mail each. */
  Type.Object(
    {
      kind: Type.Literal('shop_summary'),
      mode: Type.Enum(['test', 'live']),
      topic: Type.Enum([...NOTIFICATION_TOPICS]),
      /** When the hour began. */
      hour: Type.Integer(),
      count: Type.Integer(),
      totalYen: Type.Integer(),
    },
    closed,
  ),
])
export type NotificationFacts = Readonly<Static<typeof NotificationFacts>>
