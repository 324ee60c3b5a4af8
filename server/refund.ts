import { refuse, type Refusal } from '#contract/errors.ts'
import type { ReceiptWish } from '#payment/attempt.ts'
import { isLongDoubt, leaseFrom } from '#payment/doubt.ts'
import { decideRefund, refundInquiryDue, settleRefund, type Refund } from '#payment/refund.ts'
import type { Gateway, RefundOutcome } from '#payment/ports.ts'
import type { Parts } from './parts.ts'
import { bookRefund } from './store/ledger.ts'
import { lockCheckout, saveMoves, type Lock, type LockedCheckout } from './store/moves.ts'
import { postRefunded } from './store/outbox.ts'
import { refundsOfCheckout } from './store/refunds.ts'

export interface RefundWish {
  readonly refundId: string
  readonly amountYen: number | null
}

interface RefundRef {
  readonly merchantId: string
  readonly checkoutId: string
  readonly refundId: string
}

/** First transaction: the amount is reserved before anybody is asked to give it back. */
const reserve = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  { refundId, amountYen }: RefundWish,
): Promise<{ readonly refund: Refund; readonly isNew: boolean } | Refusal> =>
  await parts.database.transact(async (sql) => {
    const locked = await lockCheckout(sql, merchantId, checkoutId)
    if (locked === null) return refuse('checkout_not_found')
    const now = parts.clock.now()
    const leaseUntil = leaseFrom(now, parts.gatewayTimeoutMs)
    const decision = decideRefund(locked.checkout, locked.refunds, { refundId, amountYen, leaseUntil, now })
    if (decision.decision === 'refuse') return decision.refusal
    const isNew = decision.decision === 'reserve'
    const mover = { actor: 'merchant', why: 'refund', now } as const
    if (isNew) await saveMoves(sql, locked, { refunds: [decision.refund] }, mover)
    return { refund: decision.refund, isNew }
  })

/** Outside any transaction. The same ids on every try: the acquirer gives one refund back once. */
const askToRefund = async (gateway: Gateway, { orderCode, refundId, amountYen }: Refund): Promise<RefundOutcome> => {
  try {
    return await gateway.refund({ orderCode, refundId, amountYen })
  } catch {
    // An adapter that throws has told us nothing: the request may have arrived.
    return { outcome: 'unknown', why: 'the gateway adapter failed' }
  }
}

const receiptOf = ({ attempts }: LockedCheckout, orderCode: string): ReceiptWish | null => {
  const state = attempts.find((attempt) => attempt.orderCode === orderCode)?.state
  return state?.name === 'charged' ? state.receipt : null
}

/** Second transaction: refund, checkout, ledger lines and letters together, or none of them. */
const recordRefund = async (
  parts: Parts,
  { merchantId, checkoutId, refundId }: RefundRef,
  said: RefundOutcome,
  actor: 'merchant' | 'settlement',
): Promise<Refund> => {
  const settlement = await parts.database.transact(async (sql) => {
    const locked = await lockCheckout(sql, merchantId, checkoutId)
    const refund = locked?.refunds.find((each) => each.refundId === refundId)
    if (locked === null || refund === undefined) throw new Error('a refund that was asked for is not in the store')
    const now = parts.clock.now()
    const next = settleRefund(locked.checkout, locked.refunds, refund, said, now)
    const moves = { checkout: next.checkout, refunds: [next.refund] }
    await saveMoves(sql, locked, moves, { actor, why: said.outcome, now })
    const { state } = next.refund
    if (state.name === 'refunded' && refund.state.name !== 'refunded') {
      await bookRefund(sql, next.refund, state.refundedAt)
      await postRefunded(sql, next.checkout, next.refund, receiptOf(locked, refund.orderCode), now)
    }
    return next
  })
  if (settlement.alarm !== undefined)
    parts.log.alarm('a refund needs a person', { order: settlement.refund.orderCode, why: settlement.alarm })
  return settlement.refund
}

/** Not found: the request was lost, or is late. Sent again under the same id it is given back once either way. */
const inquire = async (gateway: Gateway, refund: Refund): Promise<RefundOutcome> => {
  const inquiry = await gateway.inquireRefund(refund)
  return inquiry.outcome === 'not_found' ? askToRefund(gateway, refund) : inquiry
}

/** Stores that this process asks now, so that of many one asks the acquirer. */
const takeTurns = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  lock: Lock,
  isMeant: (refund: Refund) => boolean,
): Promise<readonly Refund[]> =>
  await parts.database.transact(async (sql) => {
    const locked = await lock(sql, merchantId, checkoutId)
    if (locked === null) return []
    const now = parts.clock.now()
    const due = locked.refunds.filter(isMeant).flatMap((refund) => refundInquiryDue(refund, now) ?? [])
    await saveMoves(sql, locked, { refunds: due }, { actor: 'settlement', why: 'inquiry', now })
    return due
  })

/** Clears up doubts about refunds of this checkout whose next inquiry is due: of all that are meant, one after another. */
export const attendRefunds = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  lock: Lock = lockCheckout,
  isMeant: (refund: Refund) => boolean = () => true,
): Promise<void> => {
  const now = parts.clock.now()
  const known = await refundsOfCheckout(parts.database, merchantId, checkoutId)
  if (!known.some((refund) => isMeant(refund) && refundInquiryDue(refund, now) !== undefined)) return
  const failed: unknown[] = []
  for (const refund of await takeTurns(parts, merchantId, checkoutId, lock, isMeant)) {
    if (refund.state.name === 'unknown' && isLongDoubt(refund.state.since, parts.clock.now()))
      parts.log.alarm('a refund needs a person', { order: refund.orderCode, why: 'in doubt for ten minutes and more' })
    try {
      await recordRefund(parts, refund, await inquire(parts.gateway, refund), 'settlement')
    } catch (error) {
      // The turns of all of them are taken: one that fails each time would keep those behind it from ever being asked.
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
}

/** Gives money back once for each refund id; whoever asks again is told what became of it. */
export const refund = async (
  parts: Parts,
  merchantId: string,
  checkoutId: string,
  wish: RefundWish,
): Promise<Refund | Refusal> => {
  // Of this refund alone the answer must be fresh. The others have the worker: an acquirer that is silent about them would
  // keep this merchant waiting for each in turn.
  await attendRefunds(parts, merchantId, checkoutId, lockCheckout, ({ refundId }) => refundId === wish.refundId)
  const reserved = await reserve(parts, merchantId, checkoutId, wish)
  if ('refused' in reserved) return reserved
  if (!reserved.isNew) return reserved.refund
  return recordRefund(parts, reserved.refund, await askToRefund(parts.gateway, reserved.refund), 'merchant')
}
