import { useEffect, useRef, type RefObject } from 'react'
import type { Flow } from './flow.ts'

interface ReturningFocus<T> {
  /** To be called when the shopper presses. */
  remember(): void
  /** What says how the payment goes on. */
  readonly said: RefObject<T | null>
}

/**
 * A button that was pressed is disabled until its call is answered, and loses the focus by that. Once the failure has been
 * read the focus returns to where the shopper was: from nowhere, a keyboard would begin at the top of the page again.
 * After a challenge, whose screen is gone, it goes to what the payment is doing now.
 */
export const useReturningFocus = <T extends HTMLElement>(at: Flow['at']): ReturningFocus<T> => {
  const left = useRef<Element | null>(null)
  const said = useRef<T>(null)
  const before = useRef(at)

  useEffect(() => {
    if (before.current === 'failed' && at === 'init_start' && left.current instanceof HTMLElement) left.current.focus()
    if (before.current === 'challenge' && at !== 'challenge') {
      said.current?.focus({ preventScroll: true })
      // The focus alone would stop scrolling at the words, with the button that shows them still below the edge.
      said.current?.scrollIntoView({ block: 'center' })
    }
    before.current = at
  }, [at])

  return {
    remember: () => {
      left.current = document.activeElement
    },
    said,
  }
}
