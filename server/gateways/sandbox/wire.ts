import { Type, type Static } from 'typebox'

/** The acquirer's own words. Nothing outside this folder knows them. */
export const Order = Type.Object({
  orderId: Type.String(),
  status: Type.Enum(['pending', 'charged', 'declined', 'void']),
  amount: Type.Integer(),
  currency: Type.String(),
  transactionId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  approvedAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})
export type Order = Static<typeof Order>

/** A fenced order that was never seen has no amount. */
export const FencedOrder = Type.Object({ orderId: Type.String(), status: Type.Literal('void') })

export const RefundReceipt = Type.Object({
  refundId: Type.String(),
  status: Type.Literal('refunded'),
  amount: Type.Integer(),
  refundedAt: Type.String(),
})

export const Problem = Type.Object({ error: Type.String() })

/** An HTTP answer with its body already parsed as JSON, or null where there was none. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}
