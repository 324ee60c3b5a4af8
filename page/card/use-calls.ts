import { useEffect, useRef, type Dispatch } from 'react'
import { toWireLocale } from '#contract/locale.ts'
import type { PageCheckout } from '../answers.ts'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { isUnanswered } from '../api.ts'
import { useApi } from '../page-context.ts'
import { useLanguage } from '../words/language.tsx'
import { cardPayload } from './fields.ts'
import type { Flow, FlowEvent } from './flow.ts'
import type { CheckoutReader } from './read-after-unanswered-pay.ts'
import type { CardForm } from './use-card-form.ts'

/** Where the flow stands, and how it is moved on. */
export interface Payment {
  readonly flow: Flow
  readonly dispatch: Dispatch<FlowEvent>
}

/** Starts the one call that belongs to the flow's state, once, and turns its answer into an event. */
export const useCalls = (
  { flow, dispatch }: Payment,
  checkout: PageCheckout,
  form: CardForm,
  reading: CheckoutReader,
): void => {
  const api = useApi()
  const store = useStoreCheckout()
  const { locale } = useLanguage()
  const started = useRef<Flow | null>(null)
  const latest = useRef(checkout)

  useEffect(() => {
    latest.current = checkout
  }, [checkout])

  useEffect(() => {
    // React may run an effect twice for one state; a second run must not send a second charge.
    if (started.current === flow) return
    started.current = flow
    const { id } = checkout
    const failed = (): void => dispatch({ event: 'failed' })
    const answered = (answer: PageCheckout): void => {
      if (answer.status === 'open') void store(answer)
      dispatch({ event: 'answered', checkout: answer })
    }
    const reported = (): void => dispatch({ event: 'reported', paymentPending: latest.current.paymentPending })
    switch (flow.at) {
      case 'starting': {
        const card = cardPayload(form.values)
        if (card === undefined) failed()
        else api.startPayment(id, card).then((answer) => dispatch({ event: 'started', answer }), failed)
        break
      }
      case 'auth_start':
        api.authenticate(flow.orderCode).then((answer) => dispatch({ event: 'authenticated', answer }), failed)
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
          if (isUnanswered(error)) reading.payUnanswered(flow.orderCode)
          failed()
        })
        break
      }
      case 'cancelling':
        api.cancelCheckout(id).then(answered, failed)
        break
      case 'reading':
        reading.read().then(answered, () => dispatch({ event: 'unreadable' }))
        break
      case 'settled':
        form.empty()
        if (flow.leaveTo === null) void store(flow.checkout)
        else leave(flow.leaveTo, flow.checkout.status)
        break
      case 'confirming':
        // The panel takes the form's place: fields that come back empty must not count as filled.
        form.empty()
        break
      case 'init_start':
      case 'collecting':
      case 'challenge':
      case 'failed':
        break
    }
  }, [flow, dispatch, checkout, form, api, store, locale, reading])
}

/** A cancelled checkout is replaced in the history, so that Back does not return to a form that cannot be paid. */
const leave = (address: string, status: string): void => {
  if (status === 'cancelled') window.location.replace(address)
  else window.location.assign(address)
}
