/** Sandbox acquirer, translation: its answers into outcomes, our orders into its requests. */
import { Check } from 'typebox/value'
import type { Instant } from '#contract/jst.ts'
import type {
  AcquirerDispute,
  Charged,
  ChargeOrder,
  ChargeOutcome,
  DisputeMovement,
  DisputePage,
  Fencing,
  Inquiry,
  Period,
  Refunded,
  RefundInquiry,
  RefundOrder,
  RefundOutcome,
  Statement,
  StatementLine,
  Unknown,
  UnreadableDispute,
} from '#payment/ports.ts'
import { isMoment } from '../acquirer-time.ts'
import { reasonOf, transactionIdOf } from '../acquirer-words.ts'
import { undecided, unknown } from '../unknown-outcome.ts'
import {
  DisputeList,
  FencedOrder,
  ListedDispute,
  DisputedOrder,
  NamedDispute,
  Order,
  OrderList,
  Problem,
  RefundReceipt,
  ShownCard,
  type Movement,
  type SandboxReply,
} from './wire.ts'

/** Temporal reads no time without its offset, which Date.parse would take for one in this server's own zone. */
const instantOf = (text: string): Instant | undefined => {
  try {
    const at = Temporal.Instant.from(text).epochMilliseconds
    return isMoment(at) ? at : undefined
  } catch {
    return undefined
  }
}

/** Money has moved, whatever the hour: a time that cannot be read is the time at which we heard of it. */
const momentOf = (time: unknown, { receivedAt }: SandboxReply): Instant =>
  (typeof time === 'string' ? instantOf(time) : undefined) ?? receivedAt

const movementOf = ({ kind, movementId, amount, movedAt }: Movement, reply: SandboxReply): DisputeMovement => ({
  kind,
  movementId,
  amountYen: amount,
  movedAt: momentOf(movedAt, reply),
})

const problemOf = ({ body }: SandboxReply): string | undefined => (Check(Problem, body) ? body.error : undefined)

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

/** Left out where it cannot be read: money has moved, whatever the card is called. */
const cardOf = (card: unknown): Pick<Charged, 'card'> =>
  Check(ShownCard, card) ? { card: { brand: card.brand, lastFour: card.lastFour } } : {}

const orderOutcome = (orderCode: string, reply: SandboxReply): Inquiry => {
  const { body } = reply
  if (Check(FencedOrder, body) && body.orderId === orderCode) return { outcome: 'not_charged' }
  if (!Check(Order, body) || body.orderId !== orderCode) return unknown('an answer that cannot be read')
  const { reason = null } = body
  switch (body.status) {
    case 'pending':
      return { outcome: 'pending' }
    case 'declined':
      return { outcome: 'declined', reason: reason === null ? 'no reason given' : reasonOf(reason) }
    case 'void':
      return { outcome: 'not_charged' }
    case 'charged':
      if (body.currency !== 'JPY') return unknown('a charge in another currency')
      return {
        outcome: 'charged',
        transactionId: transactionIdOf(body.transactionId, orderCode),
        approvedAt: momentOf(body.approvedAt, reply),
        amountYen: body.amount,
        ...cardOf(body.card),
      }
  }
}

/** Only an answer that says so explicitly is an outcome. Everything else stays in doubt. */
export const readCharge = (orderCode: string, reply: SandboxReply): ChargeOutcome => {
  if (reply.status === 200) {
    const outcome = orderOutcome(orderCode, reply)
    return outcome.outcome === 'pending' || outcome.outcome === 'not_found' ? unknown('not yet booked') : outcome
  }
  if (reply.status === 409 && problemOf(reply) === 'order_void') return { outcome: 'not_charged' }
  return undecided(reply)
}

export const readInquiry = (orderCode: string, reply: SandboxReply): Inquiry => {
  if (reply.status === 200) return orderOutcome(orderCode, reply)
  // A 404 of something else on the way (a proxy, a wrong path) is not the acquirer's answer.
  if (reply.status === 404 && problemOf(reply) === 'order_not_found') return { outcome: 'not_found' }
  return undecided(reply)
}

export const readFencing = (orderCode: string, reply: SandboxReply): Fencing => {
  if (reply.status === 200 && Check(FencedOrder, reply.body) && reply.body.orderId === orderCode)
    return { outcome: 'fenced' }
  if (reply.status === 409 && problemOf(reply) === 'order_exists') return { outcome: 'exists' }
  return undecided(reply)
}

export type RefundIds = Pick<RefundOrder, 'orderCode' | 'refundId'>

const refunded = ({ orderCode, refundId }: RefundIds, reply: SandboxReply): Refunded | Unknown => {
  const { body } = reply
  return Check(RefundReceipt, body) && body.orderId === orderCode && body.refundId === refundId
    ? { outcome: 'refunded', amountYen: body.amount, refundedAt: momentOf(body.refundedAt, reply) }
    : unknown('an answer that cannot be read')
}

/**
 * The acquirer's words for: not under this id, and never. A refusal frees its amount for another refund, so any other
 * conflict (busy, too fast, this id with another amount, for which money has moved) is a doubt.
 */
const FINAL_REFUSALS: readonly string[] = ['order_not_charged', 'refund_exceeds_charge']

export const readRefund = (ids: RefundIds, reply: SandboxReply): RefundOutcome => {
  if (reply.status === 200) return refunded(ids, reply)
  const problem = problemOf(reply)
  if (reply.status !== 409 || problem === undefined) return undecided(reply)
  return FINAL_REFUSALS.includes(problem)
    ? { outcome: 'refused', reason: problem }
    : unknown(`HTTP 409, ${reasonOf(problem)}`)
}

export const readRefundInquiry = (ids: RefundIds, reply: SandboxReply): RefundInquiry => {
  if (reply.status === 200) return refunded(ids, reply)
  if (reply.status === 404 && problemOf(reply) === 'refund_not_found') return { outcome: 'not_found' }
  return undecided(reply)
}

/** A movement whose time cannot be read is part of every period: left out, it would look like a discrepancy. */
const isWithin = ({ from, to }: Period, time: unknown): boolean => {
  const at = typeof time === 'string' ? instantOf(time) : undefined
  return at === undefined || (at >= from && at < to)
}

/** A page with one order that cannot be read is not a page: what is left out of a statement would look like a discrepancy. */
export const readStatement = (period: Period, after: string | null, reply: SandboxReply): Statement => {
  const { status, body } = reply
  if (status !== 200) return undecided(reply)
  if (!Check(OrderList, body)) return unknown('a list that cannot be read')
  // A list that leads back to where it was would be read for ever.
  if (body.after !== null && body.after <= Number(after)) return unknown('a list that does not go on')
  const lines = body.items.flatMap((item): StatementLine[] => {
    if (item.status !== 'charged') return []
    const { orderId: orderCode, amount: amountYen, approvedAt } = item
    const charge = {
      kind: 'charge',
      orderCode,
      reference: orderCode,
      amountYen,
      movedAt: momentOf(approvedAt, reply),
    } as const
    const refunds = item.refunds
      .filter(({ refundedAt }) => isWithin(period, refundedAt))
      .map(({ refundId, amount, refundedAt }) => {
        const movedAt = momentOf(refundedAt, reply)
        return { kind: 'refund', orderCode, refundId, amountYen: amount, movedAt } as const
      })
    const disputed = item.disputeMovements
      .filter((moved) => isWithin(period, moved.movedAt))
      .map((moved) => ({ orderCode, ...movementOf(moved, reply) }))
    return [...(isWithin(period, approvedAt) ? [charge] : []), ...refunds, ...disputed]
  })
  const pending = body.items
    .filter(({ status: state }) => state === 'pending')
    .map(({ orderId }) => ({ orderCode: orderId, reference: orderId }))
  return { outcome: 'page', lines, pending, after: body.after === null ? null : String(body.after) }
}

const disputeOf = (item: unknown, reply: SandboxReply): AcquirerDispute | UnreadableDispute => {
  if (!Check(ListedDispute, item))
    return {
      disputeId: Check(NamedDispute, item) ? item.disputeId : null,
      orderCode: Check(DisputedOrder, item) ? item.orderId : null,
      why: 'what the acquirer says of it cannot be read',
    }
  return {
    disputeId: item.disputeId,
    orderCode: item.orderId,
    status: item.status,
    amountYen: item.amount,
    reason: typeof item.reason === 'string' ? reasonOf(item.reason) : null,
    respondBy: typeof item.respondBy === 'string' ? (instantOf(item.respondBy) ?? null) : null,
    openedAt: momentOf(item.openedAt, reply),
    movements: item.movements.map((movement) => movementOf(movement, reply)),
  }
}

/** Each dispute for itself: one that cannot be read hides no other. */
export const readDisputes = (after: string | null, reply: SandboxReply): DisputePage => {
  const { status, body } = reply
  if (status !== 200) return undecided(reply)
  if (!Check(DisputeList, body)) return unknown('a list that cannot be read')
  if (body.after !== null && body.after <= Number(after)) return unknown('a list that does not go on')
  const told = body.items.map((item) => disputeOf(item, reply))
  return {
    outcome: 'page',
    disputes: told.filter((dispute) => 'status' in dispute),
    unreadable: told.filter((dispute) => 'why' in dispute),
    after: body.after === null ? null : String(body.after),
  }
}
