/** Refund: reserve, request, record. Idempotent by refund id. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { ReceiptRequest } from '#payment/attempt.ts'
import { isLongDoubt, leaseFrom, LEASE_EXPIRED, LONG_DOUBT } from '#payment/doubt.ts'
import { refundMail } from '#payment/mail.ts'
import type { Gateway, Refunded, RefundOutcome } from '#payment/ports.ts'
import { decideRefund, refundInquiryDue, applyRefundAnswer, type Refund } from '#payment/refund.ts'
import type { CheckoutRef, RefundRef } from '#payment/references.ts'
import type { Taxes } from '#payment/taxes.ts'
import type { Dependencies } from '../dependencies.ts'
import { refundBooking } from '../store/checkout/ledger.ts'
import {
  lockCheckout,
  type LockCheckout,
  type LockedCheckout,
  type Transitions,
} from '../store/checkout/transitions.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { attemptOf, mustExist, withLockedCheckout, type CheckoutDependencies } from './locked-checkout.ts'
import { untilRecorded } from './until-recorded.ts'

export interface RefundRequest {
  readonly refundId: string
  readonly amountYen: number | null
  readonly taxes: Taxes | null
  /** Of the key that asks: a checkout of the other mode is none of its checkouts. */
  readonly mode: MerchantMode
}

type Reserved = { readonly refund: Refund; readonly isNew: boolean } | Refusal

/** First transaction: the amount is reserved before anybody is asked to give it back. */
const reserveRefund = (
  deps: Dependencies,
  ref: CheckoutRef,
  { mode, ...request }: RefundRequest,
): Promise<Reserved | null> =>
  withLockedCheckout(deps, ref, async ({ locked, now, save }): Promise<Reserved> => {
    deps.writeProbe.refuseWhileFull()
    if (locked.checkout.mode !== mode) return refuse('checkout_not_found')
    const leaseUntil = leaseFrom(now, deps.gatewayTimeoutMs)
    const decision = decideRefund(locked.checkout, locked.refunds, { ...request, leaseUntil, now })
    if (decision.decision === 'refuse') return decision.refusal
    const isNew = decision.decision === 'reserve'
    if (isNew) await save({ refunds: [decision.refund] }, { actor: 'merchant', why: 'refund' })
    return { refund: decision.refund, isNew }
  })

/** Outside any transaction. The same ids on every try: the acquirer gives one refund back once. */
const requestRefund = (gateway: Gateway, { orderCode, refundId, amountYen }: Refund): Promise<RefundOutcome> =>
  gateway.refund({ orderCode, refundId, amountYen })

const receiptOf = (locked: LockedCheckout, orderCode: string): ReceiptRequest | null => {
  const state = attemptOf(locked, orderCode)?.state
  return state?.name === 'charged' ? state.receipt : null
}

/** What is booked, told to the merchant and, where we know the shopper's address, written to the shopper. */
const publishedOf = (
  locked: LockedCheckout,
  refund: Refund,
  refundedAt: number,
): Pick<Transitions, 'bookings' | 'mails'> => {
  const mail = refundMail(locked.checkout, refund, { receipt: receiptOf(locked, refund.orderCode), refundedAt })
  return {
    bookings: [refundBooking(refund, refundedAt)],
    mails: mail === null ? [] : [mail],
  }
}

/** Second transaction: refund, checkout, ledger lines, webhook and mail together, or none of them. */
const recordRefund = async (
  deps: CheckoutDependencies,
  ref: RefundRef,
  answer: RefundOutcome,
  actor: 'merchant' | 'inquiry',
): Promise<Refund> => {
  const recorded = await withLockedCheckout(deps, ref, async ({ locked, now, save }) => {
    const { checkout, refunds } = locked
    const requested = mustExist(
      refunds.find(({ refundId }) => refundId === ref.refundId),
      'a refund that was asked for',
    )
    const consequences = applyRefundAnswer(checkout, refunds, requested, { answer, now })
    const { refund, refundedAt } = consequences
    const published = refundedAt === undefined ? {} : publishedOf(locked, refund, refundedAt)
    await save({ checkout: consequences.checkout, refunds: [refund], ...published }, { actor, why: answer.outcome })
    return consequences
  })
  const { refund, alarm } = mustExist(recorded, 'a checkout with a refund')
  if (alarm !== undefined) deps.log.alarm('a refund needs a person', { order: refund.orderCode, why: alarm })
  return refund
}

/** Not found: the request was lost, or is late. Sent again under the same id it is given back once either way. */
const inquireOrRequestAgain = async (gateway: Gateway, refund: Refund): Promise<RefundOutcome> => {
  const inquiry = await gateway.inquireRefund(refund)
  return inquiry.outcome === 'not_found' ? requestRefund(gateway, refund) : inquiry
}

interface RefundInquiryOptions {
  readonly lock?: LockCheckout
  /** Which of the checkout's refunds: all of them by default. */
  readonly includes?: (refund: Refund) => boolean
}

/** Inquiry: asks the acquirer about those of a checkout's refunds, as they were read, whose next inquiry is due, in turn. */
export const inquireRefundsIfDue = async (
  deps: Dependencies,
  ref: CheckoutRef,
  seen: readonly Refund[],
  { lock = lockCheckout, includes = () => true }: RefundInquiryOptions = {},
): Promise<void> => {
  const dueAt = (refunds: readonly Refund[], now: number): Refund[] =>
    refunds.filter(includes).flatMap((refund) => refundInquiryDue(refund, now) ?? [])
  // Looked at before it is locked: a lock for every reading would keep payments from being written down.
  if (dueAt(seen, deps.clock.now()).length === 0) return
  /** Stores that this process asks now, so that of many one asks the acquirer. */
  const claimed = await withLockedCheckout(
    deps,
    ref,
    async ({ locked, now, save }) => {
      const due = dueAt(locked.refunds, now)
      await save({ refunds: due }, { actor: 'inquiry', why: LEASE_EXPIRED })
      return due
    },
    lock,
  )
  const failed: unknown[] = []
  for (const refund of claimed ?? []) {
    if (refund.state.name === 'unknown' && isLongDoubt(refund.state.since, deps.clock.now()))
      deps.log.alarm('a refund needs a person', { order: refund.orderCode, why: LONG_DOUBT })
    try {
      const answer = await inquireOrRequestAgain(deps.gateway, refund)
      await untilRecorded(deps, () => recordRefund(deps, refund, answer, 'inquiry'))
    } catch (error) {
      // All of them are claimed: one that fails each time would keep those behind it from ever being inquired.
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
}

/**
 * After a restore: a refund that the acquirer has given and the backup does not hold is written down as any other. Null
 * where it does not fit what is stored.
 */
export const adoptRefund = async (
  deps: CheckoutDependencies,
  ref: RefundRef,
  given: Refunded,
): Promise<Refund | null> => {
  const reserved = await withLockedCheckout(deps, ref, async ({ locked, now, save }) => {
    const { refundId } = ref
    const request = { refundId, amountYen: given.amountYen, taxes: null, leaseUntil: now, now, isGiven: true } as const
    const decision = decideRefund(locked.checkout, locked.refunds, request)
    if (decision.decision !== 'reserve') return null
    await save({ refunds: [decision.refund] }, { actor: 'inquiry', why: 'restored' })
    return decision.refund
  })
  return reserved === null ? null : recordRefund(deps, reserved, given, 'inquiry')
}

/** Refunds once for each refund id; a repeated request is answered with what became of it. */
export const refund = async (
  deps: Dependencies,
  ref: CheckoutRef,
  request: RefundRequest,
): Promise<Refund | Refusal> => {
  // Of this refund alone the answer must be fresh. The others have the worker: an acquirer that is silent about them would
  // keep this merchant waiting for each in turn.
  const seen = await refundsOfCheckout(deps.database, ref)
  await inquireRefundsIfDue(deps, ref, seen, { includes: ({ refundId }) => refundId === request.refundId })
  const reserved = await reserveRefund(deps, ref, request)
  if (reserved === null) return refuse('checkout_not_found')
  if ('refused' in reserved) return reserved
  if (!reserved.isNew) return reserved.refund
  const answer = await requestRefund(deps.gateway, reserved.refund)
  return untilRecorded(deps, () => recordRefund(deps, reserved.refund, answer, 'merchant'))
}
