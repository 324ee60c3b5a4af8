/** Payment flow hook: holds the state, and passes on what the checkout says that was read for another reason. */
import { useCallback, useEffect, useReducer } from 'react'
import type { PageCheckout } from '../parse-answers.ts'
import { crossFade } from '../ui/cross-fade.ts'
import { initialFlow, nextFlow, type FlowEvent, type PaymentFlow } from './flow.ts'

/** To the challenge, and back from it. Its result fades into nothing: a payment must not wait for a frame. */
const changesScreen = (event: FlowEvent): boolean =>
  event.type === 'abandoned' || (event.type === 'authenticated' && event.answer.threeDSType === 'challenge')

export const usePaymentFlow = (checkout: PageCheckout): PaymentFlow => {
  const [flow, change] = useReducer(nextFlow, checkout, initialFlow)
  const dispatch = useCallback((event: FlowEvent): void => {
    if (changesScreen(event)) crossFade(() => change(event))
    else change(event)
  }, [])

  useEffect(() => {
    if (checkout.paymentPending) change({ type: 'payment pending' })
  }, [checkout.paymentPending])

  // A final status that was read for another reason, a reconnect or the deadline, is the outcome of this payment too.
  useEffect(() => {
    if (checkout.status !== 'open') change({ type: 'checkout received', checkout })
  }, [checkout])

  return { flow, dispatch }
}
