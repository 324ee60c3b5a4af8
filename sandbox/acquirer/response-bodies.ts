/** Response bodies of the acquirer's API. */
import type { JsonObject } from '../http/json.ts'
import { json, type Reply } from '../http/router.ts'
import type { Dispute, DisputeMovement } from './dispute-store.ts'
import type { Order, Refund } from './order-rows.ts'
import type { MalformedRequest } from './requests.ts'

const isoTime = (time: number): string => new Date(time).toISOString()

export const orderBody = (order: Order): JsonObject => {
  const { orderId, status } = order
  if (order.status === 'void') return { orderId, status }
  const { amountYen: amount, card } = order.details
  const { brand, lastFour } = card
  const common = { orderId, status, amount, currency: 'JPY', card: { brand, lastFour } }
  if (order.status === 'pending') return common
  if (order.status === 'declined') {
    return { ...common, reason: order.reason, declinedAt: isoTime(order.declinedAt) }
  }
  return {
    ...common,
    transactionId: order.transactionId,
    approvedAt: isoTime(order.approvedAt),
    refundedAmount: order.refundedYen,
  }
}

export const refundBody = ({ orderId, refundId, amountYen, refundedAt }: Refund): JsonObject => ({
  orderId,
  refundId,
  status: 'refunded',
  amount: amountYen,
  refundedAt: isoTime(refundedAt),
})

const movementBody = ({ movementId, kind, amountYen, movedAt }: DisputeMovement): JsonObject => ({
  movementId,
  kind,
  amount: amountYen,
  movedAt: isoTime(movedAt),
})

/** Shops have some days to answer. */
const ANSWER_MS = 10 * 24 * 60 * 60 * 1000

export const disputeBody = ({ disputeId, orderId, status, amountYen, openedAt, movements }: Dispute): JsonObject => ({
  disputeId,
  orderId,
  status,
  amount: amountYen,
  currency: 'JPY',
  reason: 'fraudulent',
  openedAt: isoTime(openedAt),
  respondBy: status === 'inquiry' || status === 'open' ? isoTime(openedAt + ANSWER_MS) : null,
  movements: movements.map(movementBody),
})

export const disputeListBody = (disputes: readonly Dispute[], more: boolean): JsonObject => ({
  items: disputes.map(disputeBody),
  after: more ? (disputes.at(-1)?.sequence ?? null) : null,
})

export const malformedReply = ({ field, message }: MalformedRequest): Reply =>
  json(400, { error: 'invalid_request', field, message })

export const orderListBody = (
  orders: readonly {
    readonly order: Order
    readonly refunds: readonly Refund[]
    readonly movements: readonly DisputeMovement[]
  }[],
  more: boolean,
): JsonObject => ({
  items: orders.map(({ order, refunds, movements }) => ({
    sequence: order.sequence,
    ...orderBody(order),
    refunds: refunds.map(refundBody),
    disputeMovements: movements.map(movementBody),
  })),
  after: more ? (orders.at(-1)?.order.sequence ?? null) : null,
})
