import { useEffect, useRef } from 'react'
import type { Flow } from './flow.ts'

/**
 * A button that was pressed is disabled until its call is answered, and loses the focus by that. Once the failure has been
 * read the focus returns to where the shopper was: from nowhere, a keyboard would begin at the top of the page again.
 * Answers what to call when the shopper presses.
 */
export const useReturningFocus = (at: Flow['at']): (() => void) => {
  const left = useRef<Element | null>(null)
  const before = useRef(at)

  useEffect(() => {
    if (before.current === 'failed' && at === 'init_start' && left.current instanceof HTMLElement) left.current.focus()
    before.current = at
  }, [at])

  return () => {
    left.current = document.activeElement
  }
}
