import { Check } from 'typebox/value'
import { holdsCardNumber, looksLikeSecurityCode } from '#payment/card-number.ts'
import type {
  ChargeOrder,
  ChargeOutcome,
  Fencing,
  Inquiry,
  RefundInquiry,
  RefundOutcome,
  Statement,
  Unknown,
} from '#payment/ports.ts'
import { FencedOrder, Order, OrderList, Problem, RefundReceipt, type Reply } from './wire.ts'

const unknown = (why: string): Unknown => ({ outcome: 'unknown', why })

/** Stored as told. Words with three digits in a row may repeat a card number or its code, and are none of this acquirer's. */
const reasonOf = (word: string): string => (/^[a-z0-9_]{1,64}$/.test(word) && !/\d{3}/.test(word) ? word : 'other')

const isPlainId = (id: string): boolean =>
  /^[A-Za-z0-9_.:-]{1,64}$/.test(id) && !holdsCardNumber(id) && !looksLikeSecurityCode(id)

/**
 * Money has moved, whatever the charge is called: taken for a decline it would be charged twice, left in doubt it would
 * be asked about for ever and answered the same. The order code is what the acquirer books a charge by.
 */
const transactionIdOf = (id: string, orderCode: string): string => (isPlainId(id) ? id : `order_${orderCode}`)

const problemOf = ({ body }: Reply): string | undefined => (Check(Problem, body) ? body.error : undefined)

export const chargeBody = (order: ChargeOrder): object => ({
  amount: order.amountYen,
  currency: 'JPY',
  card: {
    number: order.card.number.reveal(),
    expiryMonth: order.card.expiryMonth,
    expiryYear: order.card.expiryYear,
    cvc: order.cvc,
    holderName: order.card.holderName,
  },
  authentication: order.clearance.by === 'authentication' ? order.clearance.authentication : null,
})

const orderOutcome = (orderCode: string, { body }: Reply): Inquiry => {
  if (Check(FencedOrder, body) && body.orderId === orderCode) return { outcome: 'void' }
  if (!Check(Order, body) || body.orderId !== orderCode) return unknown('an answer that cannot be read')
  switch (body.status) {
    case 'pending':
      return { outcome: 'pending' }
    case 'declined':
      return {
        outcome: 'declined',
        reason: typeof body.reason === 'string' ? reasonOf(body.reason) : 'no reason given',
      }
    case 'void':
      return { outcome: 'void' }
    case 'charged': {
      const approvedAt = Date.parse(body.approvedAt ?? '')
      if (typeof body.transactionId !== 'string' || Number.isNaN(approvedAt) || body.currency !== 'JPY') {
        return unknown('a charge without its particulars')
      }
      const transactionId = transactionIdOf(body.transactionId, orderCode)
      return { outcome: 'charged', transactionId, approvedAt, amountYen: body.amount }
    }
  }
}

/** Only an answer that says so in so many words is an outcome. Everything else leaves the doubt standing. */
export const readCharge = (orderCode: string, reply: Reply): ChargeOutcome => {
  if (reply.status === 200) {
    const outcome = orderOutcome(orderCode, reply)
    return outcome.outcome === 'pending' || outcome.outcome === 'not_found' ? unknown('not yet booked') : outcome
  }
  if (reply.status === 409 && problemOf(reply) === 'order_void') return { outcome: 'void' }
  return unknown(`HTTP ${reply.status}`)
}

export const readInquiry = (orderCode: string, reply: Reply): Inquiry => {
  if (reply.status === 200) return orderOutcome(orderCode, reply)
  // A 404 of something else on the way (a proxy, a wrong path) is not the acquirer's word.
  if (reply.status === 404 && problemOf(reply) === 'order_not_found') return { outcome: 'not_found' }
  return unknown(`HTTP ${reply.status}`)
}

export const readFencing = (orderCode: string, reply: Reply): Fencing => {
  if (reply.status === 200 && Check(FencedOrder, reply.body) && reply.body.orderId === orderCode)
    return { outcome: 'fenced' }
  if (reply.status === 409 && problemOf(reply) === 'order_exists') return { outcome: 'exists' }
  return unknown(`HTTP ${reply.status}`)
}

const refunded = (refundId: string, { body }: Reply): RefundInquiry => {
  if (!Check(RefundReceipt, body) || body.refundId !== refundId) return unknown('an answer that cannot be read')
  const refundedAt = Date.parse(body.refundedAt)
  return Number.isNaN(refundedAt)
    ? unknown('a refund without its time')
    : { outcome: 'refunded', amountYen: body.amount, refundedAt }
}

export const readRefund = (refundId: string, reply: Reply): RefundOutcome => {
  if (reply.status === 200) {
    const outcome = refunded(refundId, reply)
    return outcome.outcome === 'not_found' ? unknown('an answer that cannot be read') : outcome
  }
  const problem = problemOf(reply)
  if (reply.status === 409 && problem !== undefined) return { outcome: 'refused', reason: reasonOf(problem) }
  return unknown(`HTTP ${reply.status}`)
}

export const readRefundInquiry = (refundId: string, reply: Reply): RefundInquiry => {
  if (reply.status === 200) return refunded(refundId, reply)
  if (reply.status === 404 && problemOf(reply) === 'refund_not_found') return { outcome: 'not_found' }
  return unknown(`HTTP ${reply.status}`)
}

/** A page with one order that cannot be read is not a page: what is left out of a statement would look like a break. */
export const readStatement = (after: string | null, { status, body }: Reply): Statement => {
  if (status !== 200) return unknown(`HTTP ${status}`)
  if (!Check(OrderList, body)) return unknown('a list that cannot be read')
  // A list that leads back to where it was would be read for ever.
  if (body.after !== null && body.after <= Number(after)) return unknown('a list that does not go on')
  const lines = body.items.flatMap((item) =>
    item.status === 'charged'
      ? [
          {
            orderCode: item.orderId,
            chargedYen: item.amount,
            refunds: item.refunds.map(({ refundId, amount }) => ({ refundId, amountYen: amount })),
          },
        ]
      : [],
  )
  return { outcome: 'page', lines, after: body.after === null ? null : String(body.after) }
}
