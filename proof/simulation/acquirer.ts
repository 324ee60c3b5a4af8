/** Simulated acquirer: has its own record, and shares no code with the sandbox or the adapters. */
import type {
  ChargeOrder,
  ChargeOutcome,
  Fencing,
  Gateway,
  Inquiry,
  RefundInquiry,
  RefundOrder,
  RefundOutcome,
  Statement,
  StatementLine,
  Unknown,
} from '#payment/ports.ts'
import type { FaultyConnection } from './faulty-connection.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { isDeclined } from './three-ds.ts'
import type { VirtualTime } from './virtual-time.ts'

const MAX_ISSUER_DELAY_MS = 180_000

export interface SimulatedRefund {
  readonly amountYen: number
  readonly refundedAt: number
}

/** Order at the simulated acquirer: what its record holds under one order id. */
export interface SimulatedOrder {
  readonly orderCode: string
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
    .flatMap(({ orderCode, amountYen, approvedAt, refunds }): StatementLine[] => [
      { kind: 'charge', orderCode, reference: orderCode, amountYen, movedAt: approvedAt },
      ...[...refunds].map(
        ([refundId, refund]) =>
          ({
            kind: 'refund',
            orderCode,
            refundId,
            amountYen: refund.amountYen,
            movedAt: refund.refundedAt,
          }) as const,
      ),
    ]),
  after: null,
})

const refundInquiryOf = (
  orders: ReadonlyMap<string, SimulatedOrder>,
  { orderCode, refundId }: Pick<RefundOrder, 'orderCode' | 'refundId'>,
): RefundInquiry => {
  const refund = orders.get(orderCode)?.refunds.get(refundId)
  return refund === undefined ? { outcome: 'not_found' } : { outcome: 'refunded', ...refund }
}

/** The acquirer's record when all is decided, read without the faulty connection. */
export const gatewayForReconciliation = (
  orders: ReadonlyMap<string, SimulatedOrder>,
): Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund'> => ({
  statement: async () => statementOf(orders, Number.POSITIVE_INFINITY),
  inquire: async ({ orderCode }) => {
    const recorded = orders.get(orderCode)
    return recorded?.status === 'charged' ? { outcome: 'charged', ...recorded } : { outcome: 'not_found' }
  },
  inquireRefund: async (refund) => refundInquiryOf(orders, refund),
})

export interface SimulatedAcquirer extends Gateway {
  readonly orders: ReadonlyMap<string, SimulatedOrder>
  /** Refund requests for more than was paid: we must never send one. */
  readonly excessRefunds: readonly string[]
}

export const simulatedAcquirer = (
  time: VirtualTime,
  connection: FaultyConnection,
  random: SeededRandom,
  faultRate: number,
): SimulatedAcquirer => {
  const orders = new Map<string, SimulatedOrder>()
  const excessRefunds: string[] = []
  const refused = new Map<string, RefundOutcome>()
  let transactions = 0

  const callAcquirer = async <T>(act: () => T, mayBeLate: boolean): Promise<T | Unknown> => {
    const delivery = await connection.deliver(act, mayBeLate)
    return delivery.arrived ? delivery.answer : { outcome: 'unknown', why: delivery.why, isSilence: true }
  }

  const isPending = ({ decidedAt }: SimulatedOrder): boolean => time.now() < decidedAt

  const outcomeOf = (recorded: SimulatedOrder): ChargeOutcome => {
    if (isPending(recorded)) return { outcome: 'unknown', why: 'still pending' }
    const { status, transactionId, approvedAt, amountYen } = recorded
    if (status === 'charged') return { outcome: 'charged', transactionId, approvedAt, amountYen }
    return status === 'fenced' ? { outcome: 'not_charged' } : { outcome: 'declined', reason: 'declined' }
  }

  const chargeOnce = (order: ChargeOrder, declines: boolean, decisionDelayMs: number): ChargeOutcome => {
    const known = orders.get(order.orderCode)
    // Idempotency: an order id is charged once. Our whole protocol relies on it.
    if (known !== undefined) return outcomeOf(known)
    transactions += 1
    const recorded: SimulatedOrder = {
      orderCode: order.orderCode,
      status: declines ? 'declined' : 'charged',
      amountYen: order.amountYen,
      transactionId: `txn_${transactions}`,
      approvedAt: time.now() + decisionDelayMs,
      decidedAt: time.now() + decisionDelayMs,
      order,
      refunds: new Map(),
    }
    orders.set(order.orderCode, recorded)
    return outcomeOf(recorded)
  }

  const refundCharge = ({ orderCode, refundId, amountYen }: RefundOrder): RefundOutcome => {
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
  }

  return {
    orders,
    excessRefunds,
    ready: async () => (connection.isSilent() ? 'silent' : 'ready'),
    charge: async (order, remember) => {
      if (!(await remember(order.orderCode))) return { outcome: 'not_charged' }
      // Decided when it is sent, so that a doubled request cannot be both declined and charged.
      const declines = isDeclined(order.card)
      const copy = { ...order, cvc: '' }
      const decisionDelayMs = random.chance(faultRate / 5) ? random.between(0, MAX_ISSUER_DELAY_MS) : 0
      return callAcquirer(() => chargeOnce(copy, declines, decisionDelayMs), true)
    },
    inquire: async ({ orderCode }) =>
      callAcquirer((): Inquiry => {
        const recorded = orders.get(orderCode)
        if (recorded === undefined) return { outcome: 'not_found' }
        return isPending(recorded) ? { outcome: 'pending' } : outcomeOf(recorded)
      }, false),
    fence: async ({ orderCode }) =>
      callAcquirer((): Fencing => {
        const recorded = orders.get(orderCode)
        if (recorded !== undefined) return recorded.status === 'fenced' ? { outcome: 'fenced' } : { outcome: 'exists' }
        orders.set(orderCode, {
          orderCode,
          status: 'fenced',
          amountYen: 0,
          transactionId: '',
          approvedAt: time.now(),
          decidedAt: time.now(),
          order: null,
          refunds: new Map(),
        })
        return { outcome: 'fenced' }
      }, false),
    refund: (order) => callAcquirer(() => refundCharge(order), true),
    inquireRefund: async (refund) => callAcquirer(() => refundInquiryOf(orders, refund), false),
    statement: async () => callAcquirer(() => statementOf(orders, time.now()), false),
  }
}
