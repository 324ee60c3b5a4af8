/** Refund: the amount is reserved first; idempotent by the merchant's refund id; its outcome can be unknown, as of a charge. */
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { Taxes } from '#contract/invoice-figures.ts'
import type { Instant } from '#contract/jst.ts'
import { transitionCheckout, type Checkout } from './checkout.ts'
import { withdrawnYen, type Dispute } from './dispute.ts'
import { beginDoubt, inquiryDueNow, type Doubt } from './doubt.ts'
import type { RefundOrder, RefundOutcome } from './ports.ts'
import type { RefundRef } from './references.ts'
import { isSameTaxes, taxesOfRefund } from './taxes.ts'

/** One refund, under the merchant's own id, which is also the id at the acquirer and never changes. */
export interface Refund extends RefundRef {
  /** The order that was charged. */
  readonly orderCode: string
  readonly amountYen: number
  /** The amount by tax rate; null: the checkout has no taxes, or a restore has lost them. */
  readonly taxes: Taxes | null
  readonly requestedAt: Instant
  readonly state: RefundState
}

/** What the acquirer is told of a refund. `reference`: of the charge. */
export const refundOrderOf = (
  { orderCode, refundId, amountYen, requestedAt }: Refund,
  reference: string,
): RefundOrder => ({ orderCode, reference, refundId, amountYen, requestedAt })

/** Each state carries exactly its own data. */
export type RefundState =
  | { readonly name: 'requested'; readonly leaseUntil: Instant }
  | ({ readonly name: 'unknown' } & Doubt)
  | { readonly name: 'refunded'; readonly refundedAt: Instant }
  | { readonly name: 'refused'; readonly reason: string }

export type RefundStateName = RefundState['name']

const TRANSITIONS: Record<RefundStateName, readonly RefundStateName[]> = {
  requested: ['unknown', 'refunded', 'refused'],
  unknown: ['unknown', 'refunded', 'refused'],
  refunded: [],
  refused: [],
}

export const transitionRefund = (refund: Refund, next: RefundState): Refund => {
  if (!TRANSITIONS[refund.state.name].includes(next.name)) {
    throw new Error(`a refund cannot go from ${refund.state.name} to ${next.name}`)
  }
  return { ...refund, state: next }
}

const isReservedAmount = ({ state }: Refund): boolean => state.name !== 'refused'
const isRefunded = ({ state }: Refund): boolean => state.name === 'refunded'

const sumOf = (refunds: readonly Refund[]): number => refunds.reduce((sum, { amountYen }) => sum + amountYen, 0)

/** What was paid and is not refunded. A refund under way counts as refunded. */
const notRefundedYen = (checkout: Checkout, refunds: readonly Refund[]): number =>
  checkout.state.status === 'paid' ? checkout.amountYen - sumOf(refunds.filter(isReservedAmount)) : 0

/** What can still be refunded. What a dispute has taken is with the card holder already, and cannot be refunded as well. */
export const refundableYen = (checkout: Checkout, refunds: readonly Refund[], disputes: readonly Dispute[]): number =>
  Math.max(0, notRefundedYen(checkout, refunds) - Math.max(0, withdrawnYen(disputes)))

export const refundedYen = (refunds: readonly Refund[]): number => sumOf(refunds.filter(isRefunded))

export interface RefundCommand {
  readonly refundId: string
  /** Null: all that is left. */
  readonly amountYen: number | null
  /** Null: computed from what is left. */
  readonly taxes: Taxes | null
  readonly leaseUntil: Instant
  readonly now: Instant
  /** The acquirer has refunded it already. It is recorded even if its amounts by tax rate are unknown, or a dispute took the money too. */
  readonly isAlreadyRefunded?: true
}

export type RefundDecision =
  | { readonly decision: 'reserve'; readonly refund: Refund }
  /** The same refund was requested before: the answer is that refund as it is now. */
  | { readonly decision: 'repeat'; readonly refund: Refund }
  | Refusal

const DISPUTED =
  'More than is left cannot be refunded. `params.remaining` is what is left, in yen: a dispute (chargeback) has taken the rest, and is answered at the acquirer.'

const OTHER_TAXES = 'This refund id was used with other taxes. Use a new id for a new refund.'

/** Reserves the amount before the acquirer is asked, so that refunds together never exceed the payment. */
export const decideRefund = (
  checkout: Checkout,
  { refunds, disputes }: { readonly refunds: readonly Refund[]; readonly disputes: readonly Dispute[] },
  { refundId, amountYen, taxes: asked, leaseUntil, now, isAlreadyRefunded }: RefundCommand,
): RefundDecision => {
  const known = refunds.find((refund) => refund.refundId === refundId)
  if (known !== undefined) {
    if (amountYen !== null && amountYen !== known.amountYen)
      return refuse('refund_mismatch', { amount: known.amountYen })
    const isLost = known.taxes === null && checkout.taxes !== null
    return asked === null || isLost || isSameTaxes(asked, known.taxes ?? [])
      ? { decision: 'repeat', refund: known }
      : refuse('refund_mismatch', { amount: known.amountYen }, OTHER_TAXES)
  }
  if (checkout.state.status !== 'paid') return refuse('not_refundable', { status: checkout.state.status })
  const notRefunded = notRefundedYen(checkout, refunds)
  const remaining = isAlreadyRefunded === undefined ? refundableYen(checkout, refunds, disputes) : notRefunded
  const amount = amountYen ?? remaining
  if (amount < 1 || amount > remaining)
    return refuse('refund_exceeds_payment', { remaining }, remaining < notRefunded ? DISPUTED : undefined)
  const givenBack = refunds.filter(isReservedAmount).flatMap(({ taxes }) => (taxes === null ? [] : [taxes]))
  const divided = taxesOfRefund({ taxes: checkout.taxes, givenBack, amountYen: amount, asked })
  const isUndivided = divided !== null && isRefusal(divided)
  if (isUndivided && isAlreadyRefunded === undefined) return divided
  const taxes = isUndivided ? null : divided
  const { merchantId, id: checkoutId } = checkout
  const { orderCode } = checkout.state.payment
  const state = { name: 'requested', leaseUntil } as const
  return {
    decision: 'reserve',
    refund: { merchantId, checkoutId, refundId, orderCode, amountYen: amount, taxes, requestedAt: now, state },
  }
}

/** The next checkout and refund. `alarm` is for a person. */
export interface RefundConsequences {
  readonly refund: Refund
  readonly checkout: Checkout
  /** The refund has just succeeded: book it, and mail the shopper. */
  readonly refundedAt?: Instant
  readonly alarm?: string
}

/** Applies the acquirer's answer to a refund under way. The last refunded yen makes the checkout `refunded`. */
export const applyRefundAnswer = (
  checkout: Checkout,
  refunds: readonly Refund[],
  refund: Refund,
  { answer, now }: { readonly answer: RefundOutcome; readonly now: Instant },
): RefundConsequences => {
  const { state } = refund
  if (state.name === 'refunded' || state.name === 'refused') return answerForEndedRefund(checkout, refund, answer)
  switch (answer.outcome) {
    case 'refunded': {
      if (answer.amountYen !== refund.amountYen) {
        const alarm = `the acquirer refunded ${answer.amountYen} yen instead of ${refund.amountYen}`
        return { ...stillInDoubt(checkout, refund, alarm, now), alarm }
      }
      const next = transitionRefund(refund, { name: 'refunded', refundedAt: answer.refundedAt })
      const given = refundedYen(refunds.filter(({ refundId }) => refundId !== refund.refundId)) + refund.amountYen
      const { refundedAt } = answer
      return { refund: next, checkout: afterRefund(checkout, given, refundedAt), refundedAt }
    }
    case 'refused':
      return { refund: transitionRefund(refund, { name: 'refused', reason: answer.reason }), checkout }
    case 'unknown':
      return stillInDoubt(checkout, refund, answer.why, now)
  }
}

/** A second answer about an ended refund changes nothing. If it contradicts our record, a person is called. */
const answerForEndedRefund = (checkout: Checkout, refund: Refund, answer: RefundOutcome): RefundConsequences => {
  const contradicts = answer.outcome !== 'unknown' && answer.outcome !== refund.state.name
  const alarm = `the acquirer says that a refund was ${answer.outcome} which is ${refund.state.name}`
  return { refund, checkout, ...(contradicts ? { alarm } : {}) }
}

const afterRefund = (checkout: Checkout, given: number, refundedAt: Instant): Checkout =>
  checkout.state.status === 'paid' && given === checkout.amountYen
    ? transitionCheckout(checkout, { status: 'refunded', payment: checkout.state.payment, refundedAt })
    : checkout

const stillInDoubt = (checkout: Checkout, refund: Refund, why: string, now: Instant): RefundConsequences => ({
  checkout,
  refund:
    refund.state.name === 'requested' ? transitionRefund(refund, { name: 'unknown', ...beginDoubt(why, now) }) : refund,
})

/** If an inquiry is due, the refund to store before asking; undefined: none is due. */
export const refundInquiryDue = (refund: Refund, now: Instant): Refund | undefined => {
  const { state } = refund
  if (state.name !== 'requested' && state.name !== 'unknown') return undefined
  const doubt = inquiryDueNow(state, now)
  return doubt === undefined ? undefined : transitionRefund(refund, { name: 'unknown', ...doubt })
}
