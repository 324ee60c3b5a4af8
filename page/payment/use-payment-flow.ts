import { useEffect, useReducer } from 'react'
import type { PageCheckout } from '../parse-answers.ts'
import { initialFlow, nextFlow, type PaymentFlow } from './flow.ts'

/** Payment flow hook: holds the state, and passes on what the checkout says that was read for another reason. */
export const usePaymentFlow = (checkout: PageCheckout): PaymentFlow => {
  const [flow, dispatch] = useReducer(nextFlow, checkout, initialFlow)

  useEffect(() => {
    if (checkout.paymentPending) dispatch({ type: 'payment pending' })
  }, [checkout.paymentPending])

  // A final status that was read for another reason, a reconnect or the deadline, is the outcome of this payment too.
  useEffect(() => {
    if (checkout.status !== 'open') dispatch({ type: 'checkout received', checkout })
  }, [checkout])

  return { flow, dispatch }
}
