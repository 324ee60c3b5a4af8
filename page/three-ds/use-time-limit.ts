import { useEffect } from 'react'

/** Calls once when the screen it belongs to has stood for so long. */
export const useTimeLimit = (limitMs: number, over: () => void): void => {
  useEffect(() => {
    const timer = setTimeout(over, limitMs)
    return () => clearTimeout(timer)
  }, [limitMs, over])
}
