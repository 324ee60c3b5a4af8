/**
 * Leaving for the merchant's page. The form is emptied as the page goes, and not before: an empty form beside "Paying…" would
 * be seen for as long as the merchant's server takes. Whoever comes back to a page that the browser has kept sees the outcome.
 */
import { useEffect } from 'react'
import type { PaymentFlow } from './flow.ts'

/** As long as a call to the server may take: a shop that does not answer must not keep the receipt from the shopper. */
const LEAVE_TIMEOUT_MS = 45_000

export const useLeavePage = ({ flow, dispatch }: PaymentFlow, clearForm: () => void): void => {
  const isLeaving = flow.state === 'finished' && flow.leaveTo !== null

  useEffect(() => {
    if (!isLeaving) return undefined
    const notLeft = (): void => dispatch({ type: 'not left' })
    const onPageShow = (event: PageTransitionEvent): void => {
      if (event.persisted) notLeft()
    }
    const timer = setTimeout(notLeft, LEAVE_TIMEOUT_MS)
    window.addEventListener('pagehide', clearForm)
    window.addEventListener('pageshow', onPageShow)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', clearForm)
      window.removeEventListener('pageshow', onPageShow)
    }
  }, [isLeaving, dispatch, clearForm])
}
