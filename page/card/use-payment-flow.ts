import { useEffect, useMemo, useReducer } from 'react'
import type { PageCheckout } from '../parse-answers.ts'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { useApi, useInitialData } from '../page-context.ts'
import { confirmingIntervalMs, initialFlow, nextFlow } from './flow.ts'
import { createCheckoutReader } from './read-after-unanswered-pay.ts'
import { usePaymentCalls, type PaymentFlow } from './use-payment-calls.ts'
import type { CardFormState } from './use-card-form.ts'

/** Payment flow hook: holds the state, sends its calls, and reads the checkout while a payment is in doubt. */
export const usePaymentFlow = (checkout: PageCheckout, form: CardFormState): PaymentFlow => {
  const api = useApi()
  const storeCheckout = useStoreCheckout()
  const { timeScale } = useInitialData()
  const [flow, dispatch] = useReducer(nextFlow, checkout, initialFlow)
  const reader = useMemo(() => createCheckoutReader(api, checkout.id), [api, checkout.id])
  usePaymentCalls({ flow, dispatch }, checkout, form, reader)

  useEffect(() => {
    if (flow.state !== 'confirming') return undefined
    const since = performance.now()
    let stopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const readLater = (): void => {
      if (!stopped) timer = setTimeout(read, confirmingIntervalMs(performance.now() - since) * timeScale)
    }
    // A failed reading resolves nothing: the checkout is read again.
    const read = (): void => {
      reader.read().then((answer) => {
        if (stopped) return
        if (answer.status === 'open') void storeCheckout(answer)
        dispatch({ type: 'checkout received', checkout: answer })
        readLater()
      }, readLater)
    }
    readLater()
    return () => {
      stopped = true
      clearTimeout(timer)
    }
  }, [flow.state, reader, storeCheckout, timeScale])

  useEffect(() => {
    if (checkout.paymentPending) dispatch({ type: 'payment pending' })
  }, [checkout.paymentPending])

  // A final status that was read for another reason, a reconnect or the deadline, is the outcome of this payment too.
  useEffect(() => {
    if (checkout.status !== 'open') dispatch({ type: 'checkout received', checkout })
  }, [checkout])

  return { flow, dispatch }
}
