/** Live: tells the watchdog of the document that the console has come alive. */
import { useEffect } from 'react'

export const Live = () => {
  useEffect(() => {
    document.dispatchEvent(new Event('kaikei-live'))
  }, [])
  return null
}
