import type {
  ChargeOrder,
  ChargeOutcome,
  Fencing,
  Gateway,
  Inquiry,
  RefundInquiry,
  RefundOrder,
  RefundOutcome,
  Unknown,
} from '#payment/ports.ts'
import type { Dice } from './seeded.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

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
  readonly order: ChargeOrder | null
  readonly refunds: ReadonlyMap<string, BookedRefund>
}

export interface SimulatedAcquirer extends Gateway {
  readonly books: ReadonlyMap<string, BookedOrder>
  /** From now on every message arrives and is answered. */
  behave(): void
  /** Answers nobody until then. */
  fallSilentUntil(instant: number): void
  /** Refunds that were asked for beyond what was paid: we must never ask. */
  readonly overdrawn: readonly string[]
}

/** What happens to one message: it may be lost, late or doubled, and so may its answer. */
type Fate = 'well' | 'lost' | 'late' | 'twice' | 'answer lost' | 'fails before' | 'fails after'
const FATES: readonly [Fate, ...Fate[]] = ['lost', 'late', 'twice', 'answer lost', 'fails before', 'fails after']

const lost: Unknown = { outcome: 'unknown', why: 'no answer in time' }
const failed: Unknown = { outcome: 'unknown', why: 'HTTP 500' }

/** An acquirer with books of its own and a bad line to it. It shares nothing with the sandbox or the adapters. */
export const simulatedAcquirer = (
  time: VirtualTime,
  dice: Dice,
  timeoutMs: number,
  trouble: number,
): SimulatedAcquirer => {
  const books = new Map<string, BookedOrder>()
  let isBehaving = false
  let silentUntil = 0
  const overdrawn: string[] = []
  let transactions = 0

  /** Carries one message there and back. `act` is what the acquirer does when it arrives. */
  const carry = async <T>(act: () => T, mayBeLate: boolean): Promise<T | Unknown> => {
    const fate: Fate = !isBehaving && dice.chance(trouble) ? dice.oneOf(FATES) : 'well'
    const isSilent = time.now() < silentUntil
    const arrive = async (delayMs: number): Promise<T> => {
      await time.sleep(delayMs)
      return act()
    }
    if (isSilent || fate === 'lost') {
      // What a silent acquirer was sent it may still work off when it comes back.
      if (isSilent && mayBeLate && dice.chance(0.5)) void arrive(silentUntil - time.now() + dice.between(0, MINUTE))
      await time.sleep(timeoutMs)
      return lost
    }
    switch (fate) {
      case 'late':
        if (mayBeLate) void arrive(timeoutMs + dice.between(0, 2 * MINUTE))
        await time.sleep(timeoutMs)
        return lost
      case 'answer lost':
        await arrive(dice.between(0, SECOND))
        await time.sleep(timeoutMs)
        return lost
      case 'fails before':
        await time.sleep(dice.between(0, SECOND))
        return failed
      case 'fails after':
        await arrive(dice.between(0, SECOND))
        return failed
      case 'twice':
        void arrive(dice.between(0, 30 * SECOND))
        break
      case 'well':
        break
    }
    const answer = await arrive(dice.between(0, SECOND))
    await time.sleep(dice.between(0, SECOND))
    return answer
  }

  const outcomeOf = (booked: BookedOrder): ChargeOutcome => {
    const { status, transactionId, approvedAt, amountYen } = booked
    if (status === 'charged') return { outcome: 'charged', transactionId, approvedAt, amountYen }
    return status === 'fenced' ? { outcome: 'void' } : { outcome: 'declined', reason: 'declined' }
  }

  const book = (order: ChargeOrder, isDeclined: boolean): ChargeOutcome => {
    const known = books.get(order.orderCode)
    // An order id is charged once: that is the promise our protocol stands on.
    if (known !== undefined) return outcomeOf(known)
    transactions += 1
    const booked: BookedOrder = {
      orderCode: order.orderCode,
      status: isDeclined ? 'declined' : 'charged',
      amountYen: order.amountYen,
      transactionId: `txn_${transactions}`,
      approvedAt: time.now(),
      order,
      refunds: new Map(),
    }
    books.set(order.orderCode, booked)
    return outcomeOf(booked)
  }

  const giveBack = ({ orderCode, refundId, amountYen }: RefundOrder): RefundOutcome => {
    const booked = books.get(orderCode)
    if (booked === undefined || booked.status !== 'charged') return { outcome: 'refused', reason: 'order_not_charged' }
    const known = booked.refunds.get(refundId)
    if (known !== undefined) return { outcome: 'refunded', ...known }
    const given = [...booked.refunds.values()].reduce((sum, each) => sum + each.amountYen, 0)
    if (given + amountYen > booked.amountYen) {
      overdrawn.push(`${orderCode} ${refundId}`)
      return { outcome: 'refused', reason: 'refund_exceeds_charge' }
    }
    const refunded = { amountYen, refundedAt: time.now() }
    books.set(orderCode, { ...booked, refunds: new Map([...booked.refunds, [refundId, refunded]]) })
    return { outcome: 'refunded', ...refunded }
  }

  return {
    books,
    overdrawn,
    behave: () => {
      isBehaving = true
      silentUntil = 0
    },
    fallSilentUntil: (instant) => {
      silentUntil = instant
    },
    ready: async () => (time.now() < silentUntil ? 'silent' : 'ready'),
    charge: (order) => {
      // Decided when it is sent, so that a doubled request cannot be declined and charged.
      const isDeclined = order.card.number.face.lastFour === '0001'
      const copy = { ...order, cvc: '' }
      return carry(() => book(copy, isDeclined), true)
    },
    inquire: async (orderCode) =>
      carry((): Inquiry => {
        const booked = books.get(orderCode)
        return booked === undefined ? { outcome: 'not_found' } : outcomeOf(booked)
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
  }
}
