/**
 * Heading focus: a screen that replaces another one takes the focus to its heading; otherwise the focus would be lost and a
 * screen reader would announce nothing. A screen that the document was opened with leaves the focus where the browser has it.
 */
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useHydrated } from './use-hydrated.ts'

export const useFocusHeading = (): RefObject<HTMLHeadingElement | null> => {
  const heading = useRef<HTMLHeadingElement>(null)
  const [isReplacement] = useState(useHydrated())

  useEffect(() => {
    if (!isReplacement) return
    // The last screen may have been scrolled down to its button.
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [isReplacement])

  return heading
}
