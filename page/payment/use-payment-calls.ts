/** Payment calls: sends the one call that belongs to the flow's state, once, and dispatches its answer as an event. */
import { useEffect, useRef } from 'react'
import { toWireLocale } from '#contract/locale.ts'
import type { CardPayload } from '#contract/three-ds.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { CallFailed, isUnanswered } from '../api.ts'
import { usePaymentApi } from '../payment-api.ts'
import { useLanguage } from '../words/language-provider.tsx'
import type { FailureCause, Flow, PaymentFlow } from './flow.ts'
import type { CheckoutReader } from './read-after-unanswered-pay.ts'

/** What a payment takes from the form, and when the form forgets it. */
export interface PaymentForm {
  /** Undefined: what was typed is no card. */
  readonly card: CardPayload | undefined
  /** Removes everything: before the browser leaves for another site. A stable function. */
  clear(): void
  /** Removes the card. Name and e-mail stay: whoever has to try again need not type them again. */
  clearCard(): void
}

export const usePaymentCalls = (
  { flow, dispatch }: PaymentFlow,
  checkout: PageCheckout,
  form: PaymentForm,
  reader: CheckoutReader,
): void => {
  const api = usePaymentApi()
  const storeCheckout = useStoreCheckout()
  const { locale } = useLanguage()
  const handledFlow = useRef<Flow | null>(null)
  const latestCheckout = useRef(checkout)

  useEffect(() => {
    latestCheckout.current = checkout
  }, [checkout])

  useEffect(() => {
    // React may run an effect twice for one state; a second run must not send a second charge.
    if (handledFlow.current === flow) return
    handledFlow.current = flow
    const { id } = checkout
    const failed = (error?: unknown): void => dispatch({ type: 'call failed', cause: causeOf(error) })
    const answered = (answer: PageCheckout): void => {
      if (answer.status === 'open') void storeCheckout(answer)
      dispatch({ type: 'checkout received', checkout: answer })
    }
    const reported = (): void =>
      dispatch({ type: 'error reported', paymentPending: latestCheckout.current.paymentPending })
    switch (flow.state) {
      case 'starting': {
        if (form.card === undefined) failed()
        else api.startPayment(id, form.card).then((answer) => dispatch({ type: 'started', answer }), failed)
        break
      }
      case 'auth_start':
        api.authenticate(flow.orderCode).then((answer) => dispatch({ type: 'authenticated', answer }), failed)
        break
      case 'collect_error':
        api.reportCollectError(flow.orderCode).then(reported, failed)
        break
      case 'challenge_error':
        api.reportChallengeError(flow.orderCode).then(reported, failed)
        break
      case 'pay_start': {
        if (form.card === undefined) {
          failed()
          break
        }
        const body = { cvc: form.card.cvc, locale: toWireLocale(locale), receiptEmail: form.card.email }
        api.pay(id, flow.orderCode, body).then(answered, (error: unknown) => {
          if (isUnanswered(error)) reader.notePayUnanswered(flow.orderCode)
          failed(error)
        })
        break
      }
      case 'cancelling':
        api.cancelCheckout(id).then(answered, failed)
        break
      case 'reading':
        reader.read().then(answered, () => dispatch({ type: 'read failed' }))
        break
      case 'finished':
        if (flow.leaveTo === null) void storeCheckout(flow.checkout)
        else leavePage(flow.leaveTo, flow.checkout.status)
        break
      case 'confirming':
        // The panel replaces the form: fields that come back empty must not count as filled.
        form.clearCard()
        break
      case 'init_start':
      case 'collecting':
      case 'challenge':
      case 'failed':
        break
    }
  }, [flow, dispatch, checkout, form, api, storeCheckout, locale, reader])
}

/** By the code of our server's error, or by its HTTP status. */
const CAUSES: Readonly<Record<string, FailureCause>> = {
  authentication_unfinished: 'not authenticated',
  not_a_test_card: 'not a test card',
  402: 'card refused',
  429: 'too many attempts',
}

const causeOf = (error: unknown): FailureCause => {
  if (!(error instanceof CallFailed) || error.refusal === undefined) return 'other'
  return CAUSES[error.refusal] ?? CAUSES[error.failure.code] ?? 'other'
}

/** A cancelled checkout is replaced in the history, so that Back does not return to a form that cannot be paid. */
const leavePage = (address: string, status: string): void => {
  if (status === 'cancelled') window.location.replace(address)
  else window.location.assign(address)
}
