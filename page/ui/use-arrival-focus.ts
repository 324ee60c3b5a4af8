import { useEffect, useRef, useState, type RefObject } from 'react'
import { useLive } from './use-live.ts'

/**
 * Puts the focus on the heading of a screen that took another one's place: what had the focus is gone with it, and a
 * screen reader would say nothing. A document that was opened as it stands keeps the browser's own beginning.
 */
export const useArrivalFocus = (): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null)
  const [arrived] = useState(useLive())

  useEffect(() => {
    if (!arrived) return
    // The last screen may have been scrolled down to its button; this one begins at its top.
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [arrived])

  return heading
}
