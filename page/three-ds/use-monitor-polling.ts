/**
 * Monitor polling during a challenge, also in a hidden tab, where the browser slows the timer down. It polls at once when
 * the tab is visible again, when the shopper returns from the bank's app, and when the network is back.
 */
import { useEffect } from 'react'
import { usePaymentApi } from '../payment-api.ts'
import { startPolling } from './polling.ts'

export const useMonitorPolling = (monitoringUrl: string, onReady: () => void): void => {
  const api = usePaymentApi()

  useEffect(() => {
    const polling = startPolling(
      (signal) => api.pollMonitor(monitoringUrl, signal),
      (event) => event === 'AuthResultReady',
      onReady,
    )
    const whenVisible = (): void => {
      if (document.visibilityState === 'visible') polling.pollNow()
    }
    document.addEventListener('visibilitychange', whenVisible)
    window.addEventListener('pageshow', polling.pollNow)
    window.addEventListener('online', polling.pollNow)
    return () => {
      document.removeEventListener('visibilitychange', whenVisible)
      window.removeEventListener('pageshow', polling.pollNow)
      window.removeEventListener('online', polling.pollNow)
      polling.stop()
    }
  }, [api, monitoringUrl, onReady])
}
