/** Sandbox acquirer, wire format. */
import { Type, type Static } from 'typebox'
import { CARD_BRANDS } from '#contract/brands.ts'
import { MOVED_YEN_MAX } from '#payment/acquirer-limits.ts'
import type { Instant } from '#contract/jst.ts'

/** As `isMovedYen` has it: the sandbox speaks of yen alone. */
const Yen = Type.Integer({ minimum: 0, maximum: MOVED_YEN_MAX })

/**
 * The acquirer's own words. Nothing outside this folder knows them. What an outcome does not hang on may be anything: an
 * order that fails here stays in doubt, and is asked about for ever.
 */
export const Order = Type.Object({
  orderId: Type.String(),
  status: Type.Enum(['pending', 'charged', 'declined', 'void']),
  amount: Yen,
  currency: Type.String(),
  transactionId: Type.Optional(Type.Unknown()),
  approvedAt: Type.Optional(Type.Unknown()),
  reason: Type.Optional(Type.Unknown()),
  card: Type.Optional(Type.Unknown()),
})

/** What may be shown of the card. */
export const ShownCard = Type.Object({
  brand: Type.Enum([...CARD_BRANDS]),
  lastFour: Type.String({ pattern: '^[0-9]{4}$' }),
})

/** A fenced order that was never seen has no amount. */
export const FencedOrder = Type.Object({ orderId: Type.String(), status: Type.Literal('void') })

export const RefundReceipt = Type.Object({
  orderId: Type.String(),
  refundId: Type.String(),
  status: Type.Literal('refunded'),
  amount: Yen,
  refundedAt: Type.Optional(Type.Unknown()),
})

const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' })

/** Money that a dispute moved. */
const Movement = Type.Object({
  movementId: Id,
  kind: Type.Enum(['chargeback', 'chargeback_reversal']),
  amount: Yen,
  movedAt: Type.Optional(Type.Unknown()),
})
export type Movement = Static<typeof Movement>

const Listed = Type.Object({
  orderId: Id,
  disputeMovements: Type.Array(Movement),
  refunds: Type.Array(
    Type.Object({
      refundId: Id,
      status: Type.Literal('refunded'),
      amount: Yen,
      refundedAt: Type.Optional(Type.Unknown()),
    }),
  ),
})

/** A page of its orders, in the order of their sequence numbers. */
export const OrderList = Type.Object({
  items: Type.Array(
    Type.Union([
      Type.Intersect([
        Listed,
        Type.Object({
          status: Type.Literal('charged'),
          amount: Yen,
          currency: Type.Literal('JPY'),
          approvedAt: Type.Optional(Type.Unknown()),
        }),
      ]),
      Type.Intersect([Listed, Type.Object({ status: Type.Enum(['pending', 'declined', 'void']) })]),
    ]),
  ),
  after: Type.Union([Type.Integer(), Type.Null()]),
})

/** A page of its disputes, in the order of their sequence numbers. */
export const DisputeList = Type.Object({
  items: Type.Array(Type.Unknown()),
  after: Type.Union([Type.Integer(), Type.Null()]),
})

/** Nothing else of it may be readable. */
export const NamedDispute = Type.Object({ disputeId: Id })
export const DisputedOrder = Type.Object({ orderId: Id })

export const ListedDispute = Type.Object({
  ...NamedDispute.properties,
  ...DisputedOrder.properties,
  status: Type.Enum(['inquiry', 'open', 'won', 'lost']),
  amount: Yen,
  currency: Type.Literal('JPY'),
  reason: Type.Optional(Type.Unknown()),
  openedAt: Type.Optional(Type.Unknown()),
  respondBy: Type.Optional(Type.Unknown()),
  movements: Type.Array(Movement),
})

export const Problem = Type.Object({ error: Type.String() })

/** An HTTP answer with its body already parsed as JSON, or null where there was none. */
export interface SandboxReply {
  readonly status: number
  readonly body: unknown
  readonly receivedAt: Instant
}
