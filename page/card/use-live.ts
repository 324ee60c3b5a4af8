import { useEffect, useState } from 'react'

/** False in the document and until React has taken the page over; then true, and the inline script steps back. */
export const useLive = (): boolean => {
  const [live, setLive] = useState(false)
  useEffect(() => {
    document.dispatchEvent(new Event('kaikei-live'))
    setLive(true)
  }, [])
  return live
}
