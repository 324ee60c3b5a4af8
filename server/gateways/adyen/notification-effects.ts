/** Adyen, effects of a notification: what it makes due, by what is recorded about its payment or refund. */
import type { AttemptStateName } from '#payment/attempt.ts'
import type { RefundState } from '#payment/refund.ts'
import { CAPTURE_EVENTS, isFailure, REFUND_EVENTS } from './notified-outcomes.ts'

/** `inquire`: the doubt is asked about at once, and the inquiry reads the inbox. `alarm`: our record is wrong. */
export type Consequence =
  | { readonly is: 'nothing' }
  | { readonly is: 'inquire'; readonly what: 'payment' | 'refund' }
  | { readonly is: 'alarm'; readonly about: 'payment' | 'refund'; readonly why: string }

const NOTHING: Consequence = { is: 'nothing' }

/** What is recorded about the order or the refund that the notification names; null: no such thing is known. */
export interface Recorded {
  readonly attempt: AttemptStateName | null
  readonly refund: RefundState['name'] | null
}

interface Told {
  readonly event: string
  readonly success: boolean
}

const isOneOf = (events: readonly string[], event: string): boolean => events.includes(event)

const ofCapture = (told: Told, attempt: Recorded['attempt']): Consequence => {
  if (attempt === 'unknown') return { is: 'inquire', what: 'payment' }
  if (attempt === 'charged' && isFailure(told))
    return { is: 'alarm', about: 'payment', why: 'Adyen could not capture a payment that is recorded as paid' }
  if ((attempt === 'not_charged' || attempt === 'declined') && !isFailure(told))
    return { is: 'alarm', about: 'payment', why: 'Adyen captured a payment that is recorded as not charged' }
  return NOTHING
}

const ofRefund = (told: Told, refund: Recorded['refund']): Consequence => {
  if (refund === 'unknown') return { is: 'inquire', what: 'refund' }
  if (refund === 'refunded' && isFailure(told))
    return { is: 'alarm', about: 'refund', why: 'Adyen could not make a refund that is recorded as refunded' }
  if (refund === 'refused' && !isFailure(told))
    return { is: 'alarm', about: 'refund', why: 'Adyen made a refund that is recorded as refused' }
  return NOTHING
}

/**
 * Idempotent: once the doubt has ended, the same notification changes nothing. While a charge or a refund is under way it
 * changes nothing either: what is asked next reads the inbox.
 */
export const consequenceOf = (told: Told, { attempt, refund }: Recorded): Consequence => {
  if (isOneOf(CAPTURE_EVENTS, told.event)) return ofCapture(told, attempt)
  return isOneOf(REFUND_EVENTS, told.event) ? ofRefund(told, refund) : NOTHING
}
