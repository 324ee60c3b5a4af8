/** Payment rules of Adyen: which capture, cancel and refund of a payment succeeds. Nothing here reads or writes. */
import type { Modification, Payment } from './rows.ts'

export type Verdict = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly reason: string }

export interface PaymentState {
  readonly payment: Payment
  readonly modifications: readonly Modification[]
}

const DONE: Verdict = { kind: 'done' }
const failed = (reason: string): Verdict => ({ kind: 'failed', reason })

/** The reason of a CAPTURE with success false in the webhook tests of Adyen's .NET library. */
const INSUFFICIENT_BALANCE = 'Insufficient balance on payment'
/** Adyen's own example of a REFUND that fails (Webhooks v1, post-REFUND-refund). */
const NOT_CAPTURED = "Transaction hasn't been captured, refund not possible"
const NOT_CANCELLABLE = 'Payment has been captured or is not authorised, cancel not possible'

const capturesOf = ({ modifications }: PaymentState): readonly Modification[] =>
  modifications.filter(({ kind, status }) => kind === 'capture' && status !== 'failed')

const sumOf = (modifications: readonly Modification[]): number =>
  modifications.reduce((total, { amountYen }) => total + amountYen, 0)

const sumDone = ({ modifications }: PaymentState, wanted: Modification['kind']): number =>
  sumOf(modifications.filter(({ kind, status }) => kind === wanted && status === 'done'))

export const capturedYen = (state: PaymentState): number => sumDone(state, 'capture')
export const refundedYen = (state: PaymentState): number => sumDone(state, 'refund')
/** What disputes have taken and not given back. */
export const chargebackYen = (state: PaymentState): number =>
  sumDone(state, 'chargeback') + sumDone(state, 'second_chargeback') - sumDone(state, 'chargeback_reversed')

/**
 * docs.adyen.com/api-explorer/Checkout, captures: "smaller than or equal to the authorised amount", and "by default, any
 * unclaimed amount after a partial capture gets cancelled", so that a payment is captured once.
 */
export const captureVerdict = (state: PaymentState, amountYen: number): Verdict =>
  state.payment.status !== 'authorised' || capturesOf(state).length > 0 || amountYen > state.payment.amountYen
    ? failed(INSUFFICIENT_BALANCE)
    : DONE

/** docs.adyen.com/online-payments/cancel: "After a payment has been captured, you can no longer cancel it." */
export const cancelVerdict = (state: PaymentState): Verdict =>
  ['authorised', 'undecided'].includes(state.payment.status) && capturesOf(state).length === 0
    ? DONE
    : failed(NOT_CANCELLABLE)

/** docs.adyen.com/development-resources/api-idempotency: "the total refunded value cannot exceed the captured amount". */
export const refundVerdict = (state: PaymentState, amountYen: number): Verdict => {
  const captured = capturedYen(state)
  if (captured === 0) return failed(NOT_CAPTURED)
  return refundedYen(state) + amountYen > captured ? failed(INSUFFICIENT_BALANCE) : DONE
}
