/** Timeout of a screen: calls `onTimeout` once, unless the screen is gone before. */
import { useEffect } from 'react'

export const useTimeout = (timeoutMs: number, onTimeout: () => void): void => {
  useEffect(() => {
    const timer = setTimeout(onTimeout, timeoutMs)
    return () => clearTimeout(timer)
  }, [timeoutMs, onTimeout])
}
