import { useEffect, useMemo, useReducer } from 'react'
import type { PageCheckout } from '../answers.ts'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { useApi, useInitialData } from '../page-context.ts'
import { confirmingPauseMs, firstFlow, next } from './flow.ts'
import { createCheckoutReader } from './read-after-unanswered-pay.ts'
import { useCalls, type Payment } from './use-calls.ts'
import type { CardForm } from './use-card-form.ts'

/** Draws nothing: holds the flow, makes its calls, and reads the checkout while a payment is in doubt. */
export const usePayment = (checkout: PageCheckout, form: CardForm): Payment => {
  const api = useApi()
  const store = useStoreCheckout()
  const { timeScale } = useInitialData()
  const [flow, dispatch] = useReducer(next, checkout, firstFlow)
  const reading = useMemo(() => createCheckoutReader(api, checkout.id), [api, checkout.id])
  useCalls({ flow, dispatch }, checkout, form, reading)

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
      reading.read().then((answer) => {
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
  }, [flow.at, reading, store, timeScale])

  useEffect(() => {
    if (checkout.paymentPending) dispatch({ event: 'pending' })
  }, [checkout.paymentPending])

  // Read elsewhere while a payment is under way here, after a reconnect or at the deadline: it is this payment's answer.
  useEffect(() => {
    if (checkout.status !== 'open') dispatch({ event: 'answered', checkout })
  }, [checkout])

  return { flow, dispatch }
}
