/**
 * Loader of the lazy parts: fetched ahead while the browser is idle, and awaited before any money can move, so that no
 * payment comes to a screen whose script is missing.
 */
import { useEffect, useState } from 'react'
import type { lazyParts } from './lazy-parts.tsx'

export type LazyParts = typeof lazyParts

/** Some browsers never fetch a failed module again: then only a new document helps, which the failure notice offers. */
const FAILURES_MAX = 2

let loaded: LazyParts | undefined
let failures = 0

/** As long as a call to the server may take. */
const FETCH_TIMEOUT_MS = 45_000

/** Rejects where the script cannot be fetched; the next call tries again. */
export const loadLazyParts = async (): Promise<LazyParts> => {
  if (loaded !== undefined) return loaded
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(reject, FETCH_TIMEOUT_MS, new Error('timeout'))
  })
  try {
    loaded = (await Promise.race([import('./lazy-parts.tsx'), timeout])).lazyParts
    return loaded
  } catch (error) {
    failures += 1
    if (failures > FAILURES_MAX) document.dispatchEvent(new Event('kaikei-failed'))
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined until they are wanted and loaded. Where they cannot be loaded, `onFailure` (a stable one) or the error boundary says so. */
export const useLazyParts = (areWanted: boolean, onFailure?: () => void): LazyParts | undefined => {
  const [failure, setFailure] = useState<unknown>()
  const [, setLoaded] = useState(loaded)
  useEffect(() => {
    if (areWanted && loaded === undefined) loadLazyParts().then(setLoaded, onFailure ?? setFailure)
  }, [areWanted, onFailure])
  if (failure !== undefined) throw failure
  return areWanted ? loaded : undefined
}

/** Safari has no idle callback: by then its page has long been drawn. */
const FETCH_AHEAD_AFTER_MS = 2000

export const fetchLazyPartsWhenIdle = (): void => {
  // A failure is nobody's yet: the shopper's next step tries again.
  const fetchAhead = (): void => void loadLazyParts().catch(() => undefined)
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(fetchAhead)
  else setTimeout(fetchAhead, FETCH_AHEAD_AFTER_MS)
}
