import { useEffect, useReducer, useRef, type Dispatch } from 'react'
import { toWireLocale } from '#contract/locale.ts'
import type { PageCheckout } from '../answers.ts'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { useApi, useBeginning } from '../page-context.ts'
import { useLanguage } from '../words/language.tsx'
import { cardPayload } from './fields.ts'
import { confirmingPauseMs, firstFlow, next, type Flow, type FlowEvent } from './flow.ts'
import type { CardForm } from './use-card-form.ts'

export interface Payment {
  readonly flow: Flow
  readonly dispatch: Dispatch<FlowEvent>
}

/** Draws nothing: starts the one call that belongs to the flow's state and turns its answer into an event. */
export const usePayment = (checkout: PageCheckout, form: CardForm): Payment => {
  const api = useApi()
  const store = useStoreCheckout()
  const { timeScale } = useBeginning()
  const { locale } = useLanguage()
  const [flow, dispatch] = useReducer(next, checkout, firstFlow)
  const started = useRef<Flow | null>(null)

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
    switch (flow.at) {
      case 'starting': {
        const card = cardPayload(form.values)
        if (card === undefined) failed()
        else api.startPayment(id, card).then((answer) => dispatch({ event: 'started', answer }), failed)
        break
      }
      case 'pay_start': {
        const { cvc, email } = form.values
        const body = { cvc, locale: toWireLocale(locale), receiptEmail: email.trim() }
        api.pay(id, flow.orderCode, body).then(answered, failed)
        break
      }
      case 'cancelling':
        api.cancelCheckout(id).then(answered, failed)
        break
      case 'reading':
        api.readCheckout(id).then(answered, () => dispatch({ event: 'unreadable' }))
        break
      case 'settled':
        form.empty()
        if (flow.leaveTo === null) void store(flow.checkout)
        else leave(flow.leaveTo, flow.checkout.status)
        break
      case 'init_start':
      case 'failed':
      case 'confirming':
        break
    }
  }, [flow, checkout, form, api, store, locale])

  useEffect(() => {
    if (flow.at !== 'confirming') return undefined
    const since = performance.now()
    let stopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const readLater = (): void => {
      if (!stopped) timer = setTimeout(read, confirmingPauseMs(performance.now() - since) * timeScale)
    }
    // A reading that fails ends nothing: the doubt stands and is read again.
    const read = (): void => {
      api.readCheckout(checkout.id).then((answer) => {
        if (stopped) return
        if (answer.status === 'open') void store(answer)
        dispatch({ event: 'answered', checkout: answer })
        readLater()
      }, readLater)
    }
    readLater()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [flow.at, checkout.id, api, store, timeScale])

  useEffect(() => {
    if (checkout.paymentPending) dispatch({ event: 'pending' })
  }, [checkout.paymentPending])

  return { flow, dispatch }
}

/** A cancelled checkout is replaced in the history, so that Back does not return to a form that cannot be paid. */
const leave = (address: string, status: string): void => {
  if (status === 'cancelled') window.location.replace(address)
  else window.location.assign(address)
}
