/**
 * Focus restore: a pressed button is disabled during its call and loses the focus. After the failure dialog the focus
 * returns to it; otherwise the keyboard would start at the top of the page again. After a challenge, whose screen is gone,
 * the focus goes to the payment's progress.
 */
import { useEffect, useRef, type RefObject } from 'react'
import type { Flow } from '../payment/flow.ts'

interface RestoreFocus<T> {
  /** To be called when the shopper presses a button. */
  rememberFocus(): void
  /** The element that shows the payment's progress. */
  readonly statusRef: RefObject<T | null>
}

export const useRestoreFocus = <T extends HTMLElement>(state: Flow['state']): RestoreFocus<T> => {
  const remembered = useRef<Element | null>(null)
  const statusRef = useRef<T>(null)
  const previous = useRef(state)

  useEffect(() => {
    const isDialogClosed = previous.current === 'failed' && state === 'init_start'
    // What the form says of the failure was scrolled to just before, and stays in view.
    if (isDialogClosed && remembered.current instanceof HTMLElement) remembered.current.focus({ preventScroll: true })
    if (previous.current === 'challenge' && state !== 'challenge') {
      statusRef.current?.focus({ preventScroll: true })
      // Focus alone would scroll only as far as the status, and leave the pay button below the edge of the window.
      statusRef.current?.scrollIntoView({ block: 'center' })
    }
    previous.current = state
  }, [state])

  return {
    rememberFocus: () => {
      remembered.current = document.activeElement
    },
    statusRef,
  }
}
