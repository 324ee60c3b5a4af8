/** Stripe, translation of refunds: our orders into form fields, its answers into outcomes. */
import { Check } from 'typebox/value'
import type { Instant } from '#contract/jst.ts'
import { isMovedYen } from '#payment/acquirer-limits.ts'
import type { RefundInquiry, RefundOrder, RefundOutcome, Unknown } from '#payment/ports.ts'
import type { AcquirerReply } from '../acquirer-http.ts'
import { reasonOf } from '../acquirer-words.ts'
import { undecided, unknown } from '../unknown-outcome.ts'
import { failureOf } from './failure.ts'
import type { FormFields } from './form.ts'
import { momentOf, UNKNOWN_TO_ACCOUNT } from './translate.ts'
import { Page, Refund, RefundMetadata } from './wire.ts'

export type RefundIds = Pick<RefundOrder, 'orderCode' | 'reference' | 'refundId'>

/** The most that Stripe lists on a page. */
const PAGE_LIMIT = 100

export const refundFields = ({
  reference,
  refundId,
  amountYen,
}: RefundIds & { readonly amountYen: number }): FormFields => ({
  payment_intent: reference,
  amount: amountYen,
  metadata: { refund: refundId },
})

export const refundsOfIntentFields = (reference: string, startingAfter: string | null): FormFields => ({
  payment_intent: reference,
  limit: PAGE_LIMIT,
  ...(startingAfter === null ? {} : { starting_after: startingAfter }),
})

export interface RefundPage {
  readonly outcome: 'page'
  readonly refunds: readonly Refund[]
  /** The refund that the next page begins after; null: this was the last. */
  readonly after: string | null
}

/** A page with one refund that cannot be read is not a page: what is left out would be given back a second time. */
export const readRefundPage = (startingAfter: string | null, reply: AcquirerReply): RefundPage | Unknown => {
  const { status, body } = reply
  if (status === 404) return UNKNOWN_TO_ACCOUNT
  if (status !== 200) return undecided(reply)
  if (!Check(Page, body)) return unknown('a list that cannot be read')
  const refunds = body.data.flatMap((item) => (Check(Refund, item) ? [item] : []))
  if (refunds.length < body.data.length) return unknown('a list that cannot be read')
  const last = refunds.at(-1)?.id ?? null
  // A list that leads back to where it was would be read for ever.
  if (body.has_more && (last === null || last === startingAfter)) return unknown('a list that does not go on')
  return { outcome: 'page', refunds, after: body.has_more ? last : null }
}

const isRefundOf = ({ reference, refundId }: RefundIds, { payment_intent, metadata }: Refund): boolean =>
  payment_intent === reference && Check(RefundMetadata, metadata) && metadata.refund === refundId

const NOTHING_GIVEN_BACK: readonly (string | null)[] = ['canceled', 'failed']

const outcomeOf = (
  { status, amount, currency, created, failure_reason }: Refund,
  receivedAt: Instant,
): RefundOutcome => {
  if (!isMovedYen(amount)) return { ...unknown('a refund of no amount of yen'), needsPerson: true }
  if (currency !== 'jpy') return { ...unknown('a refund in another currency'), needsPerson: true }
  if (status === 'succeeded')
    return { outcome: 'refunded', amountYen: amount, refundedAt: momentOf(created, receivedAt) }
  // The money is back in the merchant's balance, and Stripe tries no more.
  if (NOTHING_GIVEN_BACK.includes(status))
    return { outcome: 'refused', reason: reasonOf(typeof failure_reason === 'string' ? failure_reason : status) }
  return unknown(`a refund that is ${reasonOf(status)}`)
}

/** Of two under one id, one that gives money back counts before one that failed. */
export const findRefund = (ids: RefundIds, refunds: readonly Refund[], receivedAt: Instant): RefundInquiry => {
  const ours = refunds.filter((refund) => isRefundOf(ids, refund))
  const found =
    ours.find(({ status }) => status === 'succeeded') ??
    ours.find(({ status }) => !NOTHING_GIVEN_BACK.includes(status)) ??
    ours[0]
  return found === undefined ? { outcome: 'not_found' } : outcomeOf(found, receivedAt)
}

/** What was found before a refund was made, or instead of it. */
export const asRequested = ({ amountYen }: Pick<RefundOrder, 'amountYen'>, found: RefundInquiry): RefundOutcome => {
  if (found.outcome === 'not_found') return unknown('not yet booked')
  return found.outcome === 'refunded' && found.amountYen !== amountYen
    ? unknown('a refund of another amount has this id')
    : found
}

/**
 * Stripe’s words for: this refund was not made, and cannot be. A refusal frees its amount for another refund, so any other
 * error (too fast, balance too low, this key with another amount) is a doubt.
 */
const FINAL_REFUSALS: readonly unknown[] = ['charge_already_refunded', 'charge_disputed', 'charge_not_refundable']

/** Of an intent that was declined or cancelled. Stripe has no code for it. */
const NO_CHARGE = 'does not have a successful charge to refund'

export const readRefund = (ids: RefundIds, reply: AcquirerReply): RefundOutcome => {
  const { status, body, receivedAt } = reply
  if (status === 200)
    return Check(Refund, body) && isRefundOf(ids, body)
      ? outcomeOf(body, receivedAt)
      : unknown('an answer that cannot be read')
  const { type, code = null, param, message } = failureOf(reply) ?? {}
  if (status !== 400 || type !== 'invalid_request_error') return undecided(reply)
  if (FINAL_REFUSALS.includes(code)) return { outcome: 'refused', reason: reasonOf(code) }
  // More than what is left of the charge: Stripe sends no code of its own with it.
  if (param === 'amount' && (code === null || code === 'amount_too_large'))
    return { outcome: 'refused', reason: 'refund_exceeds_charge' }
  if (code === null && typeof message === 'string' && message.includes(NO_CHARGE))
    return { outcome: 'refused', reason: 'order_not_charged' }
  return unknown(code === null ? 'HTTP 400' : `HTTP 400, ${reasonOf(code)}`)
}
