import { useEffect } from 'react'
import { useApi } from '../page-context.ts'
import { startPolling } from './polling.ts'

/**
 * Polls the monitor as long as its screen stands, in a hidden tab too, where the browser lets the timer run at its own
 * pace; coming back to the tab, from the bank's app or online again asks at once.
 */
export const usePolling = (monitoringUrl: string, onReady: () => void): void => {
  const api = useApi()

  useEffect(() => {
    const polling = startPolling(
      (signal) => api.pollMonitor(monitoringUrl, signal),
      (event) => event === 'AuthResultReady',
      onReady,
    )
    const whenVisible = (): void => {
      if (document.visibilityState === 'visible') polling.wake()
    }
    document.addEventListener('visibilitychange', whenVisible)
    window.addEventListener('pageshow', polling.wake)
    window.addEventListener('online', polling.wake)
    return () => {
      document.removeEventListener('visibilitychange', whenVisible)
      window.removeEventListener('pageshow', polling.wake)
      window.removeEventListener('online', polling.wake)
      polling.stop()
    }
  }, [api, monitoringUrl, onReady])
}
