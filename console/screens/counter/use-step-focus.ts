/** Step focus: a step of the counter takes the place of another one, and with it the focus that was in there. */
import { useEffect, useRef, type RefObject } from 'react'

/** For what a screen reader reads first of the step. False: nothing has made place for it. */
export const useStepFocus = <T extends HTMLElement>(isWanted = true): RefObject<T | null> => {
  const ref = useRef<T>(null)
  useEffect(() => {
    // Whoever is elsewhere on the screen meanwhile stays there.
    if (isWanted && document.activeElement === document.body) ref.current?.focus()
  }, [isWanted])
  return ref
}
