import { useEffect, useRef, type Dispatch } from 'react'
import { toWireLocale } from '#contract/locale.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { isUnanswered, refusedStatus } from '../api.ts'
import { useApi } from '../page-context.ts'
import { useLanguage } from '../words/language-provider.tsx'
import { cardPayload } from './fields.ts'
import type { FailureCause, Flow, FlowEvent } from './flow.ts'
import type { CheckoutReader } from './read-after-unanswered-pay.ts'
import type { CardFormState } from './use-card-form.ts'

/** The flow's current state, and how to change it. */
export interface PaymentFlow {
  readonly flow: Flow
  readonly dispatch: Dispatch<FlowEvent>
}

/** Payment calls: sends the one call that belongs to the flow's state, once, and dispatches its answer as an event. */
export const usePaymentCalls = (
  { flow, dispatch }: PaymentFlow,
  checkout: PageCheckout,
  form: CardFormState,
  reader: CheckoutReader,
): void => {
  const api = useApi()
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
        const card = cardPayload(form.values)
        if (card === undefined) failed()
        else api.startPayment(id, card).then((answer) => dispatch({ type: 'started', answer }), failed)
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
        const { cvc, email } = form.values
        const body = { cvc, locale: toWireLocale(locale), receiptEmail: email.trim() }
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
      case 'settled':
        form.clear()
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

const CAUSES: Readonly<Record<number, FailureCause>> = { 402: 'card refused', 429: 'too many attempts' }

const causeOf = (error: unknown): FailureCause => CAUSES[refusedStatus(error) ?? 0] ?? 'other'

/** A cancelled checkout is replaced in the history, so that Back does not return to a form that cannot be paid. */
const leavePage = (address: string, status: string): void => {
  if (status === 'cancelled') window.location.replace(address)
  else window.location.assign(address)
}
