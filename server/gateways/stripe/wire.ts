/** Stripe, wire format: its answers, as far as an outcome hangs on them. */
import { Type, type Static } from 'typebox'

/** Sent with every request, so that a later version of Stripe’s API, or of the account’s settings, changes nothing here. */
export const STRIPE_VERSION = '2026-10-28.endive'

/** As `isMoment` has it. */
const Seconds = Type.Integer({ minimum: 0, maximum: 4_102_444_799 })

/**
 * PaymentIntent. Nothing outside this folder knows Stripe’s words. What an outcome does not hang on may be anything: an intent
 * that fails here stays in doubt, and is asked about for ever. `status` may be a word that Stripe adds later.
 */
export const Intent = Type.Object({
  id: Type.String(),
  status: Type.String(),
  amount: Type.Integer(),
  amount_received: Type.Optional(Type.Integer()),
  currency: Type.String(),
  metadata: Type.Object({ order: Type.String() }),
  last_payment_error: Type.Optional(Type.Unknown()),
  latest_charge: Type.Optional(Type.Unknown()),
})
export type Intent = Static<typeof Intent>

/** `latest_charge` of an intent where it was expanded. */
export const LatestCharge = Type.Object({
  id: Type.Optional(Type.Unknown()),
  status: Type.String(),
  created: Type.Optional(Type.Unknown()),
  failure_code: Type.Optional(Type.Unknown()),
  payment_method_details: Type.Optional(Type.Unknown()),
})

export const CardDetails = Type.Object({
  card: Type.Object({ brand: Type.String(), last4: Type.String({ pattern: '^[0-9]{4}$' }) }),
})

export const PaymentMethod = Type.Object({ id: Type.String({ pattern: '^pm_[A-Za-z0-9_]{1,250}$' }) })

export const Balance = Type.Object({ livemode: Type.Boolean() })

/** The body of every answer that is not 200. */
export const Failure = Type.Object({
  error: Type.Object({
    type: Type.String(),
    code: Type.Optional(Type.Unknown()),
    decline_code: Type.Optional(Type.Unknown()),
    param: Type.Optional(Type.Unknown()),
    message: Type.Optional(Type.Unknown()),
    payment_intent: Type.Optional(Type.Unknown()),
  }),
})

/** The reason in `last_payment_error`. */
export const PaymentError = Type.Object({
  code: Type.Optional(Type.Unknown()),
  decline_code: Type.Optional(Type.Unknown()),
})

export const Refund = Type.Object({
  id: Type.String(),
  /** Null for some refunds of other payment methods than cards. */
  status: Type.Union([Type.String(), Type.Null()]),
  amount: Type.Integer(),
  currency: Type.String(),
  payment_intent: Type.Unknown(),
  metadata: Type.Optional(Type.Unknown()),
  created: Type.Optional(Type.Unknown()),
  failure_reason: Type.Optional(Type.Unknown()),
})
export type Refund = Static<typeof Refund>

/** Metadata that we sent with a refund. A refund that was made in Stripe's dashboard has none. */
export const RefundMetadata = Type.Object({ refund: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }) })

/** A page of any list, newest first. */
export const Page = Type.Object({
  data: Type.Array(Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' }) })),
  has_more: Type.Boolean(),
})

/** What names the order of a charge or of an intent. Stripe copies both from the intent to its charge. */
export const NamesOrder = Type.Object({
  transfer_group: Type.Optional(Type.Unknown()),
  metadata: Type.Optional(Type.Unknown()),
})
export const OrderMetadata = Type.Object({ order: Type.String() })

export const ListedCharge = Type.Object({
  status: Type.String(),
  amount_captured: Type.Integer(),
  currency: Type.String(),
  created: Seconds,
  payment_intent: Type.String({ pattern: '^pi_[A-Za-z0-9_]{1,250}$' }),
})

/** A refund of the statement, with `payment_intent` expanded. Null: a refund of a charge that no intent has made. */
export const ListedRefund = Type.Object({
  id: Type.String(),
  status: Type.Union([Type.String(), Type.Null()]),
  amount: Type.Integer(),
  currency: Type.String(),
  created: Seconds,
  metadata: Type.Optional(Type.Unknown()),
})

/**
 * Whose payment a dispute is about, with `payment_intent` expanded. Null: the payment of another system that uses no intents.
 * An id alone says not whether it is ours.
 */
export const DisputedPayment = Type.Object({
  payment_intent: Type.Union([Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' }) }), Type.Null()]),
  charge: Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' }),
  currency: Type.String(),
})

/** Nothing else of it may be readable. */
export const NamedDispute = Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' }) })

/** `status` may be a word that Stripe adds later. */
export const ListedDispute = Type.Object({
  ...NamedDispute.properties,
  status: Type.String(),
  amount: Type.Integer(),
  currency: Type.String(),
  created: Seconds,
  reason: Type.Optional(Type.Unknown()),
  evidence_details: Type.Optional(Type.Unknown()),
  balance_transactions: Type.Array(
    Type.Object({
      id: Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' }),
      amount: Type.Integer(),
      currency: Type.String(),
      created: Seconds,
    }),
  ),
})
export type ListedDispute = Static<typeof ListedDispute>

/** Until when the shop can answer. */
export const EvidenceDetails = Type.Object({ due_by: Seconds })
