import { useEffect, useSyncExternalStore } from 'react'

const never = (): (() => void) => () => undefined

/** False in the document and until React has taken the page over; then true, and the inline script steps back. */
export const useLive = (): boolean => {
  const live = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  useEffect(() => {
    document.dispatchEvent(new Event('kaikei-live'))
  }, [])
  return live
}
