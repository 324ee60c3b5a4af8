/** Records: what the double keeps of each object. Times are seconds since 1970, `dueAt` is milliseconds. */
import { Type, type Static } from 'typebox'
import { CardBehaviour, RefundBehaviour } from './card-behaviour.ts'

const OrNull = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) => Type.Union([schema, Type.Null()])
const Metadata = Type.Record(Type.String(), Type.String())

const common = { id: Type.String(), account: Type.String(), created: Type.Number() }

/** Never the number, never the security code: last four digits, brand, expiry and a keyed fingerprint. */
const Card = Type.Object({
  brand: Type.String(),
  last4: Type.String(),
  expMonth: Type.Number(),
  expYear: Type.Number(),
  fingerprint: Type.String(),
})
export type Card = Static<typeof Card>

export const PaymentMethodRecord = Type.Object({
  ...common,
  card: Card,
  metadata: Metadata,
  behaviour: CardBehaviour,
  refunds: RefundBehaviour,
  needsThreeDSecure: Type.Boolean(),
  isUsed: Type.Boolean(),
})
export type PaymentMethodRecord = Static<typeof PaymentMethodRecord>

/** States of a PaymentIntent that this double reaches (docs.stripe.com/payments/paymentintents/lifecycle). */
const INTENT_STATUSES = ['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled'] as const
export type IntentStatus = (typeof INTENT_STATUSES)[number]

const PaymentError = Type.Object({
  code: Type.String(),
  declineCode: OrNull(Type.String()),
  message: Type.String(),
  paymentMethod: Type.String(),
  charge: OrNull(Type.String()),
})
export type PaymentError = Static<typeof PaymentError>

export const IntentRecord = Type.Object({
  ...common,
  amount: Type.Number(),
  status: Type.Enum([...INTENT_STATUSES]),
  clientSecret: Type.String(),
  description: OrNull(Type.String()),
  transferGroup: OrNull(Type.String()),
  metadata: Metadata,
  paymentMethod: OrNull(Type.String()),
  lastPaymentError: OrNull(PaymentError),
  latestCharge: OrNull(Type.String()),
  canceledAt: OrNull(Type.Number()),
  cancellationReason: OrNull(Type.String()),
  /** Processing: when the charge succeeds. */
  dueAt: OrNull(Type.Number()),
})
export type IntentRecord = Static<typeof IntentRecord>

const ThreeDSecure = Type.Object({
  version: Type.String(),
  transactionId: Type.String(),
  electronicCommerceIndicator: OrNull(Type.String()),
})
export type ThreeDSecure = Static<typeof ThreeDSecure>

export const ChargeRecord = Type.Object({
  ...common,
  amount: Type.Number(),
  status: Type.Enum(['succeeded', 'pending', 'failed']),
  intent: Type.String(),
  paymentMethod: Type.String(),
  card: Card,
  threeDSecure: OrNull(ThreeDSecure),
  description: OrNull(Type.String()),
  transferGroup: OrNull(Type.String()),
  metadata: Metadata,
  refunds: RefundBehaviour,
  failure: OrNull(Type.Object({ code: Type.String(), declineCode: OrNull(Type.String()), message: Type.String() })),
})
export type ChargeRecord = Static<typeof ChargeRecord>

const RefundStatus = Type.Enum(['pending', 'succeeded', 'failed'])

export const RefundRecord = Type.Object({
  ...common,
  amount: Type.Number(),
  status: RefundStatus,
  charge: Type.String(),
  intent: Type.String(),
  paymentMethod: Type.String(),
  reason: OrNull(Type.String()),
  metadata: Metadata,
  /** What it becomes, and when. */
  later: OrNull(Type.Object({ status: RefundStatus, dueAt: Type.Number() })),
})
export type RefundRecord = Static<typeof RefundRecord>

export const DisputeRecord = Type.Object({
  ...common,
  amount: Type.Number(),
  status: Type.Enum(['warning_needs_response', 'warning_closed', 'needs_response', 'won', 'lost']),
  charge: Type.String(),
  intent: Type.String(),
  /** When the money was given back. */
  wonAt: Type.Optional(Type.Number()),
})
export type DisputeRecord = Static<typeof DisputeRecord>
