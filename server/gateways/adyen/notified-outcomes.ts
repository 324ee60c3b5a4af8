/** Adyen, what its notifications say about the outcome of a capture or a refund. Pure: the inbox is read by whoever asks. */
import type { Charged, NotCharged, Refunded, RefundOrder, RefundOutcome, Unknown } from '#payment/ports.ts'
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { unknown } from '../unknown-outcome.ts'

/** A notification as the inbox keeps it. */
export interface Notice {
  readonly event: string
  readonly success: boolean
  /** Null: not in yen. */
  readonly amountYen: number | null
  /** Adyen's id of the change itself: of the capture, of the refund. */
  readonly pspReference: string
  /** The payment's order code, or what a refund's reference holds of it; null: its reference is none of ours. */
  readonly orderCode: string | null
  readonly refundId: string | null
  /** A short code. */
  readonly reason: string | null
  readonly occurredAt: Instant
}

/** The events that tell how a capture ended, and how a refund did. */
export const CAPTURE_EVENTS = ['CAPTURE', 'CAPTURE_FAILED'] as const
export const REFUND_EVENTS = ['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED'] as const

/** Whether this notification says that money did not move after all. Adyen sends CAPTURE_FAILED and REFUND_FAILED as a success. */
export const isFailure = ({ event, success }: Pick<Notice, 'event' | 'success'>): boolean =>
  event === 'CAPTURE' || event === 'REFUND' ? !success : success

/**
 * How our capture ended; null: nothing was told yet. One that failed moved no money, and its key captures nothing more. A
 * failure comes after the notification that the capture was sent, under the same id, and decides. A person may have tried to
 * capture the payment again in Adyen's Customer Area: one capture that was made outweighs others that failed.
 */
export const captureTold = (
  notices: readonly Notice[],
  { orderCode, reference }: { readonly orderCode: string; readonly reference: string },
): Charged | NotCharged | Unknown | null => {
  const ours = notices.filter((notice) => notice.orderCode === orderCode)
  const failed = ours.filter(isFailure).map(({ pspReference }) => pspReference)
  const made = ours.find(
    ({ event, success, pspReference }) => event === 'CAPTURE' && success && !failed.includes(pspReference),
  )
  if (made === undefined) return failed.length > 0 ? { outcome: 'not_charged' } : null
  const { amountYen, occurredAt } = made
  return amountYen === null
    ? unknown('a capture in another currency')
    : { outcome: 'charged', transactionId: reference, approvedAt: occurredAt, amountYen }
}

/** By Adyen's id of the refund where we know it, else by the reference that we gave it. */
const isAbout = (
  { orderCode, refundId, pspReference }: Notice,
  order: Pick<RefundOrder, 'orderCode' | 'refundId'>,
  pspOfRefund: string | null,
): boolean =>
  pspReference === pspOfRefund ||
  (refundId === order.refundId && orderCode !== null && order.orderCode.startsWith(orderCode))

/** How a refund ended; null: nothing was told yet. A failure comes after the notification of success, and decides. */
export const refundTold = (
  notices: readonly Notice[],
  order: Pick<RefundOrder, 'orderCode' | 'refundId'>,
  pspOfRefund: string | null,
): RefundOutcome | null => {
  const ours = notices.filter((notice) => isAbout(notice, order, pspOfRefund))
  const failed = ours.find(isFailure)
  if (failed !== undefined) return { outcome: 'refused', reason: failed.reason ?? 'other' }
  const given = ours.find(({ event, success }) => event === 'REFUND' && success)
  if (given === undefined) return null
  return given.amountYen === null
    ? unknown('a refund in another currency')
    : refunded(given.amountYen, given.occurredAt)
}

const refunded = (amountYen: number, refundedAt: Instant): Refunded => ({ outcome: 'refunded', amountYen, refundedAt })

/** Whether Adyen still knows the idempotency keys of something that began then: for seven days, of which one is a margin. */
const KEY_LIFE_MS = 6 * DAY_MS
export const isKeyKept = (since: Instant, now: Instant): boolean => now - since < KEY_LIFE_MS

export const NO_ANSWER_ANY_MORE: Unknown = {
  outcome: 'unknown',
  why: 'Adyen has told nothing in six days, and its idempotency key may be forgotten: look at the payment in its Customer Area',
  needsPerson: true,
}

export const NOT_AN_ADYEN_PAYMENT: Unknown = {
  outcome: 'unknown',
  why: 'the reference is none of Adyen: the attempt was charged by an older release',
  needsPerson: true,
}
