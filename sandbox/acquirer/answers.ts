import type { Order, Refund, Terms } from './order-rows.ts'

type Answer = Readonly<Record<string, unknown>>

const instant = (time: number): string => new Date(time).toISOString()

const termsAnswer = ({ amountYen, card }: Terms): Answer => ({
  amount: amountYen,
  currency: 'JPY',
  card: { brand: card.brand, lastFour: card.lastFour },
})

export const orderAnswer = (order: Order): Answer => {
  const { orderId, status } = order
  if (order.status === 'void') return { orderId, status }
  const asked = { orderId, status, ...termsAnswer(order.terms) }
  if (order.status === 'pending') return asked
  if (order.status === 'declined') {
    return { ...asked, reason: order.reason, declinedAt: instant(order.declinedAt) }
  }
  return {
    ...asked,
    transactionId: order.transactionId,
    approvedAt: instant(order.approvedAt),
    refundedAmount: order.refundedYen,
  }
}

export const refundAnswer = ({ orderId, refundId, amountYen, refundedAt }: Refund): Answer => ({
  orderId,
  refundId,
  status: 'refunded',
  amount: amountYen,
  refundedAt: instant(refundedAt),
})

export const listAnswer = (orders: readonly { order: Order; refunds: readonly Refund[] }[], more: boolean): Answer => ({
  items: orders.map(({ order, refunds }) => ({
    sequence: order.sequence,
    ...orderAnswer(order),
    refunds: refunds.map(refundAnswer),
  })),
  after: more ? (orders.at(-1)?.order.sequence ?? null) : null,
})
