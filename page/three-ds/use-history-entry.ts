import { useEffect } from 'react'

/** How soon a page that the card issuer's frame has gone on to is noticed. */
const LOOK_INTERVAL_MS = 250

/** The return from the last frames to the form's entry. An entry that is added meanwhile would be taken for a Back. */
let returning: Promise<unknown> = Promise.resolve()

/** Firefox and Safari before 2026 have no such interface: there Back leads to the form all the same, and some entries are left. */
const navigationOf = (): Navigation | undefined =>
  typeof window.navigation === 'object' ? window.navigation : undefined

const returnTo = (key: string | undefined): void => {
  const navigation = navigationOf()
  if (key === undefined || navigation === undefined || navigation.currentEntry?.key === key) return
  // Not `history.go`: frames have added entries, browsers drop them at different times, and a step too far leaves the checkout.
  const { committed, finished } = navigation.traverseTo(key)
  returning = Promise.allSettled([committed, finished])
}

/**
 * History entry of the card issuer's frames, so that Back leads to the form. Each page of a frame is an entry of its own, and
 * Back would go through them unseen: ours is kept the last one. Once the frames are gone the history is where the form was.
 */
export const useHistoryEntry = (onBack: () => void): void => {
  useEffect(() => {
    let isOpen = true
    let key: string | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    const back = (): void => {
      if (isOpen) onBack()
    }
    void returning.then(() => {
      if (!isOpen) return
      key = navigationOf()?.currentEntry?.key
      let length = 0
      const keepLast = (): void => {
        if (window.history.length === length) return
        window.history.pushState(window.history.state, '')
        length = window.history.length
      }
      keepLast()
      timer = setInterval(keepLast, LOOK_INTERVAL_MS)
      window.addEventListener('popstate', back)
    })
    return () => {
      isOpen = false
      clearInterval(timer)
      window.removeEventListener('popstate', back)
      returnTo(key)
    }
  }, [onBack])
}
