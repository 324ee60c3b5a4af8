/**
 * History entry of the card issuer's frames, so that Back leads to the form. Each page of a frame is an entry of its own, and
 * Back would go through them unseen: ours is kept the last one. Once the frames are gone the history is where the form was.
 */
import { useEffect } from 'react'

/** How soon a page that the card issuer's frame has gone on to is noticed. */
const LOOK_INTERVAL_MS = 250

/** The return from the last frames to the form's entry. An entry that is added meanwhile would be taken for a Back. */
let returning: Promise<unknown> = Promise.resolve()

export const useHistoryEntry = (onBack: () => void): void => {
  useEffect(() => {
    const { history } = window
    // Firefox and Safari before 2026 have none: there Back leads to the form all the same, and some entries are left.
    const navigation: Navigation | undefined = window.navigation
    let isOpen = true
    let key: string | undefined
    let length = 0
    let timer: ReturnType<typeof setInterval> | undefined
    const keepLast = (): void => {
      if (history.length === length) return
      history.pushState(history.state, '')
      length = history.length
    }
    void returning.then(() => {
      if (!isOpen) return
      key = navigation?.currentEntry?.key
      keepLast()
      timer = setInterval(keepLast, LOOK_INTERVAL_MS)
      window.addEventListener('popstate', onBack)
    })
    return () => {
      isOpen = false
      clearInterval(timer)
      window.removeEventListener('popstate', onBack)
      if (key === undefined || navigation?.currentEntry?.key === key) return
      // Not `history.go`: browsers drop the entries of frames at different times, and a step too far leaves the checkout.
      const { committed, finished } = navigation.traverseTo(key)
      returning = Promise.allSettled([committed, finished])
    }
  }, [onBack])
}
