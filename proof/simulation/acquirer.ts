/** Simulated acquirer: has its own record, and shares no code with the sandbox or the adapters. */
import type {
  ChargeOrder,
  ChargeOutcome,
  DisputePage,
  Gateway,
  Inquiry,
  RefundInquiry,
  RefundOrder,
  RefundOutcome,
  Statement,
  StatementLine,
} from '#payment/ports.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface SimulatedRefund {
  readonly amountYen: number
  readonly refundedAt: number
}

/** Order at the simulated acquirer: what its record holds under one order id. */
export interface SimulatedOrder {
  readonly orderCode: string
  readonly reference: string
  readonly status: 'charged' | 'declined' | 'fenced'
  readonly amountYen: number
  readonly transactionId: string
  readonly approvedAt: number
  /** Pending until then: some issuers take minutes. */
  readonly decidedAt: number
  readonly order: ChargeOrder | null
  readonly refunds: ReadonlyMap<string, SimulatedRefund>
}

const statementOf = (orders: ReadonlyMap<string, SimulatedOrder>, now: number): Statement => ({
  outcome: 'page',
  lines: [...orders.values()]
    .filter(({ status, decidedAt }) => status === 'charged' && decidedAt <= now)
    .flatMap(({ orderCode, reference, amountYen, approvedAt, refunds }): StatementLine[] => [
      { kind: 'charge', orderCode, reference, amountYen, movedAt: approvedAt },
      ...[...refunds].map(([refundId, refund]): StatementLine => {
        const { refundedAt: movedAt } = refund
        return { kind: 'refund', orderCode, refundId, amountYen: refund.amountYen, movedAt }
      }),
    ]),
  after: null,
})

type RefundIds = Pick<RefundOrder, 'orderCode' | 'refundId'>

const refundInquiryOf = (
  orders: ReadonlyMap<string, SimulatedOrder>,
  { orderCode, refundId }: RefundIds,
): RefundInquiry => {
  const refund = orders.get(orderCode)?.refunds.get(refundId)
  return refund === undefined ? { outcome: 'not_found' } : { outcome: 'refunded', ...refund }
}

/** The acquirer's record when all is decided, read without the faulty connection. */
export const gatewayForReconciliation = (
  orders: ReadonlyMap<string, SimulatedOrder>,
): Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund' | 'disputes'> => ({
  statement: async () => statementOf(orders, Number.POSITIVE_INFINITY),
  inquire: async ({ orderCode }) => {
    const recorded = orders.get(orderCode)
    return recorded?.status === 'charged' ? { outcome: 'charged', ...recorded } : { outcome: 'not_found' }
  },
  inquireRefund: async (refund) => refundInquiryOf(orders, refund),
  disputes: async () => ({ outcome: 'page', disputes: [], after: null }),
})

/** The acquirer's record, and what may be done with it: an order id is charged once, a refund id is refunded once. */
export interface AcquirerRecord {
  readonly orders: ReadonlyMap<string, SimulatedOrder>
  /** Refund requests for more than was paid: we must never send one. */
  readonly excessRefunds: readonly string[]
  /** Idempotency: a known order keeps its first outcome. Our whole protocol relies on it. */
  charge(order: ChargeOrder, reference: string, declines: boolean, decisionDelayMs: number): ChargeOutcome
  /** Closes an order id that was never charged. False: the order exists. */
  close(orderCode: string): boolean
  inquire(orderCode: string): Inquiry
  refund(order: RefundOrder): RefundOutcome
  inquireRefund(refund: RefundIds): RefundInquiry
  statement(): Statement
  /** Nobody disputes a simulated payment. */
  disputes(): DisputePage
}

export const acquirerRecord = (time: VirtualTime): AcquirerRecord => {
  const orders = new Map<string, SimulatedOrder>()
  const excessRefunds: string[] = []
  const refused = new Map<string, RefundOutcome>()
  let transactions = 0

  const isPending = ({ decidedAt }: SimulatedOrder): boolean => time.now() < decidedAt

  const outcomeOf = (recorded: SimulatedOrder): ChargeOutcome => {
    if (isPending(recorded)) return { outcome: 'unknown', why: 'still pending' }
    const { status, transactionId, approvedAt, amountYen } = recorded
    if (status === 'charged') return { outcome: 'charged', transactionId, approvedAt, amountYen }
    return status === 'fenced' ? { outcome: 'not_charged' } : { outcome: 'declined', reason: 'declined' }
  }

  return {
    orders,
    excessRefunds,
    charge: (order, reference, declines, decisionDelayMs) => {
      const { orderCode, amountYen } = order
      const known = orders.get(orderCode)
      if (known !== undefined) return outcomeOf(known)
      transactions += 1
      const decidedAt = time.now() + decisionDelayMs
      const recorded: SimulatedOrder = {
        orderCode,
        reference,
        status: declines ? 'declined' : 'charged',
        amountYen,
        transactionId: `txn_${transactions}`,
        approvedAt: decidedAt,
        decidedAt,
        order,
        refunds: new Map(),
      }
      orders.set(orderCode, recorded)
      return outcomeOf(recorded)
    },
    close: (orderCode) => {
      const recorded = orders.get(orderCode)
      if (recorded !== undefined) return recorded.status === 'fenced'
      const now = time.now()
      const closed = { orderCode, reference: orderCode, status: 'fenced', order: null, refunds: new Map() } as const
      orders.set(orderCode, { ...closed, amountYen: 0, transactionId: '', approvedAt: now, decidedAt: now })
      return true
    },
    inquire: (orderCode) => {
      const recorded = orders.get(orderCode)
      if (recorded === undefined) return { outcome: 'not_found' }
      return isPending(recorded) ? { outcome: 'pending' } : outcomeOf(recorded)
    },
    refund: ({ orderCode, refundId, amountYen }) => {
      const recorded = orders.get(orderCode)
      const known = recorded?.refunds.get(refundId)
      if (known !== undefined)
        return known.amountYen === amountYen
          ? { outcome: 'refunded', ...known }
          : { outcome: 'unknown', why: 'refund_mismatch' }
      const key = `${orderCode} ${refundId}`
      const earlier = refused.get(key)
      if (earlier !== undefined) return earlier
      // Stored, so that a late or doubled request cannot refund what was refused once.
      const refuse = (reason: string): RefundOutcome => {
        const refusal = { outcome: 'refused', reason } as const
        refused.set(key, refusal)
        return refusal
      }
      if (recorded === undefined || recorded.status !== 'charged') return refuse('order_not_charged')
      const refundedYen = [...recorded.refunds.values()].reduce((sum, each) => sum + each.amountYen, 0)
      if (refundedYen + amountYen > recorded.amountYen) {
        excessRefunds.push(key)
        return refuse('refund_exceeds_charge')
      }
      const refunded = { amountYen, refundedAt: time.now() }
      orders.set(orderCode, { ...recorded, refunds: new Map([...recorded.refunds, [refundId, refunded]]) })
      return { outcome: 'refunded', ...refunded }
    },
    inquireRefund: (refund) => {
      const refusal = refused.get(`${refund.orderCode} ${refund.refundId}`)
      return refusal ?? refundInquiryOf(orders, refund)
    },
    statement: () => statementOf(orders, time.now()),
    disputes: () => ({ outcome: 'page', disputes: [], after: null }),
  }
}
