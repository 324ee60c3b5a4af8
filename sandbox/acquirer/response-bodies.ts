/** Response bodies of the acquirer's API. */
import type { JsonObject } from '../http/json.ts'
import type { Order, Refund } from './order-rows.ts'

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

export const orderListBody = (
  orders: readonly { readonly order: Order; readonly refunds: readonly Refund[] }[],
  more: boolean,
): JsonObject => ({
  items: orders.map(({ order, refunds }) => ({
    sequence: order.sequence,
    ...orderBody(order),
    refunds: refunds.map(refundBody),
  })),
  after: more ? (orders.at(-1)?.order.sequence ?? null) : null,
})
