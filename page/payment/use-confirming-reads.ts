/** Confirming reads: while a payment is in doubt the checkout is read again and again, until it has an outcome. */
import { useEffect } from 'react'
import { useStoreCheckout } from '../checkout/use-checkout.ts'
import { useInitialData } from '../page-context.ts'
import { confirmingIntervalMs, type PaymentFlow } from './flow.ts'
import type { CheckoutReader } from './read-after-unanswered-pay.ts'

export const useConfirmingReads = ({ flow, dispatch }: PaymentFlow, reader: CheckoutReader): void => {
  const storeCheckout = useStoreCheckout()
  const { timeScale } = useInitialData()

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
  }, [flow.state, dispatch, reader, storeCheckout, timeScale])
}
