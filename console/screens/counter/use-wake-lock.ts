/** Wake lock: the screen of a phone or a tablet stays on while a customer pays. Browsers without it go on as they are. */
import { useEffect } from 'react'

export const useWakeLock = (): void => {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isOver = false
    const ask = async (): Promise<void> => {
      if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
      const got = await navigator.wakeLock.request('screen')
      if (isOver) await got.release()
      else lock = got
    }
    // Refused where the battery is low: the screen goes dark as usual.
    const askAgain = (): void => void ask().catch(() => undefined)
    askAgain()
    // A hidden tab loses its lock.
    document.addEventListener('visibilitychange', askAgain)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', askAgain)
      void lock?.release().catch(() => undefined)
    }
  }, [])
}
