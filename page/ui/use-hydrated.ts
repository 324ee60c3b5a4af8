import { useEffect, useSyncExternalStore } from 'react'

const neverChanges = (): (() => void) => () => undefined

/** Hydration state: false in the server's document and until React has hydrated it. Then `pre-hydration.ts` stops. */
export const useHydrated = (): boolean => {
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  useEffect(() => {
    document.dispatchEvent(new Event('kaikei-live'))
  }, [])
  return isHydrated
}
