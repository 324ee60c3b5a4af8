/** Hydration state: false in the server's document and until React has hydrated it. */
import { useSyncExternalStore } from 'react'

const neverChanges = (): (() => void) => () => undefined

export const useHydrated = (): boolean =>
  useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
