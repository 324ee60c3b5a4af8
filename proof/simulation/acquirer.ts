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
  Unknown,
} from '#payment/ports.ts'
import type { Line } from './line.ts'
import type { Dice } from '../harness/seeded.ts'
import { isDeclined } from './three-ds.ts'
import type { VirtualTime } from './virtual-time.ts'

const SLOW_ISSUER_MS = 180_000

export interface BookedRefund {
  readonly amountYen: number
  readonly refundedAt: number
}

/** What the acquirer has in its books about one order id. */
export interface BookedOrder {
  readonly orderCode: string
  readonly status: 'charged' | 'declined' | 'fenced'
  readonly amountYen: number
  readonly transactionId: string
  readonly approvedAt: number
  /** Until then it is asked about in vain: some issuers take minutes. */
  readonly decidedAt: number
  readonly order: ChargeOrder | null
  readonly refunds: ReadonlyMap<string, BookedRefund>
}

const statementOf = (books: ReadonlyMap<string, BookedOrder>, now: number): Statement => ({
  outcome: 'page',
  lines: [...books.values()]
    .filter(({ status, decidedAt }) => status === 'charged' && decidedAt <= now)
    .map(({ orderCode, amountYen, refunds }) => ({
      orderCode,
      chargedYen: amountYen,
      refunds: [...refunds].map(([refundId, refund]) => ({ refundId, amountYen: refund.amountYen })),
    })),
  after: null,
})

/** The books as they stand when all is decided, read without the line to them. */
export const openBooks = (
  books: ReadonlyMap<string, BookedOrder>,
): Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund'> => ({
  statement: async () => statementOf(books, Number.POSITIVE_INFINITY),
  inquire: async (orderCode) => {
    const booked = books.get(orderCode)
    return booked?.status === 'charged' ? { outcome: 'charged', ...booked } : { outcome: 'not_found' }
  },
  inquireRefund: async ({ orderCode, refundId }) => {
    const known = books.get(orderCode)?.refunds.get(refundId)
    return known === undefined ? { outcome: 'not_found' } : { outcome: 'refunded', ...known }
  },
})

export interface SimulatedAcquirer extends Gateway {
  readonly books: ReadonlyMap<string, BookedOrder>
  /** Refunds that were asked for beyond what was paid: we must never ask. */
  readonly overdrawn: readonly string[]
}

/** An acquirer with books of its own and a bad line to it. It shares nothing with the sandbox or the adapters. */
export const simulatedAcquirer = (time: VirtualTime, line: Line, dice: Dice, trouble: number): SimulatedAcquirer => {
  const books = new Map<string, BookedOrder>()
  const overdrawn: string[] = []
  const refused = new Map<string, RefundOutcome>()
  let transactions = 0

  const carry = async <T>(act: () => T, mayBeLate: boolean): Promise<T | Unknown> => {
    const delivery = await line.carry(act, mayBeLate)
    return delivery.arrived ? delivery.answer : { outcome: 'unknown', why: delivery.why, isSilence: true }
  }

  const isPending = ({ decidedAt }: BookedOrder): boolean => time.now() < decidedAt

  const outcomeOf = (booked: BookedOrder): ChargeOutcome => {
    if (isPending(booked)) return { outcome: 'unknown', why: 'still pending' }
    const { status, transactionId, approvedAt, amountYen } = booked
    if (status === 'charged') return { outcome: 'charged', transactionId, approvedAt, amountYen }
    return status === 'fenced' ? { outcome: 'void' } : { outcome: 'declined', reason: 'declined' }
  }

  const book = (order: ChargeOrder, declines: boolean, thinksFor: number): ChargeOutcome => {
    const known = books.get(order.orderCode)
    // An order id is charged once: that is the promise our protocol stands on.
    if (known !== undefined) return outcomeOf(known)
    transactions += 1
    const booked: BookedOrder = {
      orderCode: order.orderCode,
      status: declines ? 'declined' : 'charged',
      amountYen: order.amountYen,
      transactionId: `txn_${transactions}`,
      approvedAt: time.now() + thinksFor,
      decidedAt: time.now() + thinksFor,
      order,
      refunds: new Map(),
    }
    books.set(order.orderCode, booked)
    return outcomeOf(booked)
  }

  const giveBack = ({ orderCode, refundId, amountYen }: RefundOrder): RefundOutcome => {
    const booked = books.get(orderCode)
    const known = booked?.refunds.get(refundId)
    if (known !== undefined)
      return known.amountYen === amountYen
        ? { outcome: 'refunded', ...known }
        : { outcome: 'unknown', why: 'refund_mismatch' }
    const key = `${orderCode} ${refundId}`
    const earlier = refused.get(key)
    if (earlier !== undefined) return earlier
    // Remembered, so that a request that comes late or twice cannot move what was refused once.
    const refuse = (reason: string): RefundOutcome => {
      const refusal = { outcome: 'refused', reason } as const
      refused.set(key, refusal)
      return refusal
    }
    if (booked === undefined || booked.status !== 'charged') return refuse('order_not_charged')
    const given = [...booked.refunds.values()].reduce((sum, each) => sum + each.amountYen, 0)
    if (given + amountYen > booked.amountYen) {
      overdrawn.push(key)
      return refuse('refund_exceeds_charge')
    }
    const refunded = { amountYen, refundedAt: time.now() }
    books.set(orderCode, { ...booked, refunds: new Map([...booked.refunds, [refundId, refunded]]) })
    return { outcome: 'refunded', ...refunded }
  }

  return {
    books,
    overdrawn,
    ready: async () => (line.isSilent() ? 'silent' : 'ready'),
    charge: (order) => {
      // Decided when it is sent, so that a doubled request cannot be declined and charged.
      const declines = isDeclined(order.card)
      const copy = { ...order, cvc: '' }
      const thinksFor = dice.chance(trouble / 5) ? dice.between(0, SLOW_ISSUER_MS) : 0
      return carry(() => book(copy, declines, thinksFor), true)
    },
    inquire: async (orderCode) =>
      carry((): Inquiry => {
        const booked = books.get(orderCode)
        if (booked === undefined) return { outcome: 'not_found' }
        return isPending(booked) ? { outcome: 'pending' } : outcomeOf(booked)
      }, false),
    fence: async (orderCode) =>
      carry((): Fencing => {
        const booked = books.get(orderCode)
        if (booked !== undefined) return booked.status === 'fenced' ? { outcome: 'fenced' } : { outcome: 'exists' }
        books.set(orderCode, {
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
    refund: (order) => carry(() => giveBack(order), true),
    inquireRefund: async ({ orderCode, refundId }) =>
      carry((): RefundInquiry => {
        const known = books.get(orderCode)?.refunds.get(refundId)
        return known === undefined ? { outcome: 'not_found' } : { outcome: 'refunded', ...known }
      }, false),
    statement: async () => carry(() => statementOf(books, time.now()), false),
  }
}
