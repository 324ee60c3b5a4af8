import { useEffect, useRef, useState } from 'react'
import type { laterParts } from './later-parts.tsx'

/**
 * Loader of the later parts: fetched ahead while the browser is idle, and awaited before any money can move, so that no
 * payment comes to a screen whose script is missing.
 */
export type LaterParts = typeof laterParts

/** Some browsers never fetch a failed module again: then only a new document helps, which the failure notice offers. */
const FAILURES_MAX = 2

let loaded: LaterParts | undefined
let failures = 0

/** As long as a call to the server may take. */
const FETCH_TIMEOUT_MS = 45_000

const fetchParts = (): Promise<LaterParts> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timeout')), FETCH_TIMEOUT_MS)
    import('./later-parts.tsx').then((module) => resolve(module.laterParts), reject).finally(() => clearTimeout(timer))
  })

/** Rejects where the script cannot be fetched; the next call tries again. */
export const loadLaterParts = async (): Promise<LaterParts> => {
  try {
    loaded ??= await fetchParts()
    return loaded
  } catch (error) {
    failures += 1
    if (failures > FAILURES_MAX) document.dispatchEvent(new Event('kaikei-failed'))
    throw error
  }
}

/** Undefined until they are wanted and loaded. Where they cannot be loaded, `onFailure` or the error boundary says so. */
export const useLaterParts = (areWanted: boolean, onFailure?: () => void): LaterParts | undefined => {
  const [failure, setFailure] = useState<unknown>()
  const [, setLoaded] = useState(loaded)
  const latest = useRef(onFailure)
  useEffect(() => {
    latest.current = onFailure
  }, [onFailure])
  useEffect(() => {
    if (!areWanted || loaded !== undefined) return
    loadLaterParts().then(setLoaded, (error: unknown) => {
      if (latest.current === undefined) setFailure(error)
      else latest.current()
    })
  }, [areWanted])
  if (failure !== undefined) throw failure
  return areWanted ? loaded : undefined
}

export const loadMenuList = async (): Promise<LaterParts['MenuList']> => (await loadLaterParts()).MenuList

/** Safari has no idle callback: by then its page has long been drawn. */
const FETCH_AHEAD_AFTER_MS = 2000

export const fetchLaterPartsWhenIdle = (): void => {
  // A failure is nobody's yet: the shopper's next step tries again.
  const fetchAhead = (): void => void loadLaterParts().catch(() => undefined)
  if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(fetchAhead)
  else setTimeout(fetchAhead, FETCH_AHEAD_AFTER_MS)
}
