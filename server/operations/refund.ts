/** Refund: reserve, request, record. Idempotent by the refund id. */
import { refuse, type Refusal, isRefusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { ReceiptRequest } from '#payment/attempt.ts'
import { isLongDoubt, leaseFrom, LEASE_EXPIRED, longRefundDoubt } from '#payment/doubt.ts'
import { refundMail } from '#payment/mail.ts'
import type { Gateway, Refunded, RefundOutcome } from '#payment/ports.ts'
import { decideRefund, refundInquiryDue, refundOrderOf, applyRefundAnswer, type Refund } from '#payment/refund.ts'
import type { CheckoutRef, RefundRef } from '#payment/references.ts'
import type { Taxes } from '#contract/invoice-figures.ts'
import type { Dependencies } from '../dependencies.ts'
import { refundBooking } from '../store/checkout/ledger.ts'
import {
  lockCheckout,
  type LockCheckout,
  type LockedCheckout,
  type Transitions,
} from '../store/checkout/transitions.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { findAccount } from '../store/merchant/acquirer-accounts.ts'
import { attemptOf, mustExist, withLockedCheckout, type CheckoutDependencies } from './locked-checkout.ts'
import { untilRecorded } from './record-with-retry.ts'

export interface RefundRequest {
  readonly refundId: string
  readonly amountYen: number | null
  readonly taxes: Taxes | null
  /** The mode of the merchant's key, which reaches no checkout of the other mode. */
  readonly mode: MerchantMode
}

/** A refund to ask the acquirer for or about. */
interface RefundToSend {
  readonly refund: Refund
  readonly reference: string
  readonly mode: MerchantMode
}

type Reserved = (RefundToSend & { readonly isNew: boolean }) | Refusal

const refundToSend = (locked: LockedCheckout, refund: Refund): RefundToSend => {
  const { reference, mode } = mustExist(attemptOf(locked, refund.orderCode), 'the attempt of a charge')
  return { refund, mode, reference: mustExist(reference, 'the acquirer’s reference of a charge') }
}

/** First transaction: reserves the amount before the acquirer is asked to refund it. */
const reserveRefund = (
  deps: Dependencies,
  ref: CheckoutRef,
  { mode, ...request }: RefundRequest,
): Promise<Reserved | null> =>
  withLockedCheckout(deps, ref, async ({ locked, now, save }): Promise<Reserved> => {
    deps.writeProbe.refuseWhileFull()
    if (locked.checkout.mode !== mode) return refuse('checkout_not_found')
    const leaseUntil = leaseFrom(now, deps.gatewayTimeoutMs)
    const decision = decideRefund(locked.checkout, locked, { ...request, leaseUntil, now })
    if (isRefusal(decision)) return decision
    const isNew = decision.decision === 'reserve'
    if (isNew) await save({ refunds: [decision.refund] }, { actor: 'merchant', why: 'refund' })
    return { ...refundToSend(locked, decision.refund), isNew }
  })

/** Outside any transaction. Every try sends the same ids, so the acquirer refunds once. */
const requestRefund = (gateway: Gateway, { refund, reference }: RefundToSend): Promise<RefundOutcome> =>
  gateway.refund(refundOrderOf(refund, reference))

const gatewayOf = ({ gateways }: Dependencies, { refund, mode }: RefundToSend): Promise<Gateway> =>
  gateways.of({ merchantId: refund.merchantId, mode })

const receiptOf = (locked: LockedCheckout, orderCode: string): ReceiptRequest | null => {
  const state = attemptOf(locked, orderCode)?.state
  return state?.name === 'charged' ? state.receipt : null
}

/** The ledger lines, and the mail to the shopper where we know the address. */
const ledgerAndMails = (
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

/** Second transaction: stores refund, checkout, ledger lines, event and mail together, or none of them. */
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
    const added = refundedAt === undefined ? {} : ledgerAndMails(locked, refund, refundedAt)
    await save({ checkout: consequences.checkout, refunds: [refund], ...added }, { actor, why: answer.outcome })
    return consequences
  })
  const { refund, alarm } = mustExist(recorded, 'a checkout with a refund')
  if (alarm !== undefined) deps.log.alarm('a refund needs a person', { order: refund.orderCode, why: alarm })
  return refund
}

/** Not found: the request was lost, or is late. Sent again under the same id, it is refunded once in both cases. */
const inquireOrRequestAgain = async (gateway: Gateway, sent: RefundToSend): Promise<RefundOutcome> => {
  const inquiry = await gateway.inquireRefund(refundOrderOf(sent.refund, sent.reference))
  return inquiry.outcome === 'not_found' ? requestRefund(gateway, sent) : inquiry
}

/** The kind of acquirer is read for long doubts alone. */
const alarmIfLong = async ({ database, clock, log }: Dependencies, { refund, mode }: RefundToSend): Promise<void> => {
  const { state, merchantId, orderCode } = refund
  if (state.name !== 'unknown' || !isLongDoubt(state.since, clock.now())) return
  const account = await findAccount(database, { merchantId, mode })
  const words = longRefundDoubt(state.since, clock.now(), account?.kind ?? null)
  if (words !== null) log.alarm('a refund needs a person', { order: orderCode, why: `${state.why}: ${words}` })
}

interface RefundInquiryOptions {
  readonly lock?: LockCheckout
  /** Which refunds of the checkout; by default all. */
  readonly includes?: (refund: Refund) => boolean
}

/** Asks the acquirer, one after another, about those refunds of a checkout whose inquiry is due. */
export const inquireRefundsIfDue = async (
  deps: Dependencies,
  ref: CheckoutRef,
  seen: readonly Refund[],
  { lock = lockCheckout, includes = () => true }: RefundInquiryOptions = {},
): Promise<void> => {
  const dueAt = (refunds: readonly Refund[], now: number): Refund[] =>
    refunds.filter(includes).flatMap((refund) => refundInquiryDue(refund, now) ?? [])
  // Checked without the lock: a lock for every reading would delay the writes of payments.
  if (dueAt(seen, deps.clock.now()).length === 0) return
  // Stored first, so that only one of many processes asks the acquirer.
  const claimed = await withLockedCheckout(
    deps,
    ref,
    async ({ locked, now, save }) => {
      const due = dueAt(locked.refunds, now)
      await save({ refunds: due }, { actor: 'inquiry', why: LEASE_EXPIRED })
      return due.map((refund) => refundToSend(locked, refund))
    },
    lock,
  )
  const failed: unknown[] = []
  for (const sent of claimed ?? []) {
    const { refund } = sent
    try {
      await alarmIfLong(deps, sent)
      const answer = await inquireOrRequestAgain(await gatewayOf(deps, sent), sent)
      if (answer.outcome === 'unknown' && answer.needsPerson)
        deps.log.alarm('a refund needs a person', { order: refund.orderCode, why: answer.why })
      await untilRecorded(deps, () => recordRefund(deps, refund, answer, 'inquiry'))
    } catch (error) {
      // All of them are claimed. If one that always fails ended the loop, those after it would never be inquired.
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
}

/**
 * After a restore: records a refund that the acquirer has made and the backup lacks, or holds as requested. Null: it does not fit
 * the stored payment, or is recorded already.
 */
export const recordFoundRefund = async (
  deps: CheckoutDependencies,
  ref: RefundRef,
  given: Refunded,
): Promise<Refund | null> => {
  const reserved = await withLockedCheckout(deps, ref, async ({ locked, now, save }) => {
    const { refundId } = ref
    const { amountYen } = given
    const request = { refundId, amountYen, taxes: null, leaseUntil: now, now, isAlreadyRefunded: true } as const
    const decision = decideRefund(locked.checkout, locked, request)
    if (isRefusal(decision) || decision.refund.state.name === 'refunded') return null
    if (decision.decision === 'reserve')
      await save({ refunds: [decision.refund] }, { actor: 'inquiry', why: 'restored' })
    return decision.refund
  })
  return reserved === null ? null : recordRefund(deps, reserved, given, 'inquiry')
}

/** Refunds once for each refund id. A repeated request gets the refund as it is now. */
export const refund = async (
  deps: Dependencies,
  ref: CheckoutRef,
  request: RefundRequest,
): Promise<Refund | Refusal> => {
  // Only this refund is inquired about. The worker inquires about the others: here, a silent acquirer would make this
  // merchant wait for each of them.
  const seen = await refundsOfCheckout(deps.database, ref)
  await inquireRefundsIfDue(deps, ref, seen, { includes: ({ refundId }) => refundId === request.refundId })
  const reserved = await reserveRefund(deps, ref, request)
  if (reserved === null) return refuse('checkout_not_found')
  if (isRefusal(reserved)) return reserved
  if (!reserved.isNew) return reserved.refund
  const answer = await requestRefund(await gatewayOf(deps, reserved), reserved)
  return untilRecorded(deps, () => recordRefund(deps, reserved.refund, answer, 'merchant'))
}
