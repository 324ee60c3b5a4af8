/** Live: the page answers to its shopper. False in the document that the server drew, and until React has taken it over. */
import { createContext, startTransition, useContext, useEffect, useState, type ReactNode } from 'react'

const LiveContext = createContext(false)

export const LiveProvider = ({ children }: { readonly children: ReactNode }) => {
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    // Ends `pre-hydration.ts` and `watchdog.ts`.
    document.dispatchEvent(new Event('kaikei-live'))
    // The pictures are drawn in slices: a shopper may be typing by now.
    startTransition(() => setLive(true))
  }, [])
  return <LiveContext value={isLive}>{children}</LiveContext>
}

/** For pictures: on a slow phone they would take line and processor from the script that Pay waits for. */
export const useIsLive = (): boolean => useContext(LiveContext)
