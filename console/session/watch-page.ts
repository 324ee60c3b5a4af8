/** Watch on the page: whether a person is at it. Without one nothing is read by itself, so that an idle session ends. */

/** After so long without a touch nobody is there. Any longer, and a forgotten tab holds its session for that much more. */
export const UNTOUCHED_MS = 10 * 60_000

const TOUCHES = ['pointerdown', 'pointermove', 'wheel', 'keydown'] as const

type Page = EventTarget & { readonly visibilityState: DocumentVisibilityState }

/** Reports when the person leaves and comes back, and each time that the page is looked at again. */
export const watchPage = (page: Page, report: (isWatched: boolean) => void): (() => void) => {
  let isTouched = true
  let timer: ReturnType<typeof setTimeout>
  const leave = (): void => {
    isTouched = false
    report(false)
  }
  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(leave, UNTOUCHED_MS)
  }
  const touch = (): void => {
    wait()
    if (isTouched) return
    isTouched = true
    report(true)
  }
  /** Whoever turns to the tab is there, even without a touch. */
  const look = (): void => {
    if (page.visibilityState === 'hidden') {
      report(false)
      return
    }
    wait()
    isTouched = true
    report(true)
  }
  timer = setTimeout(leave, UNTOUCHED_MS)
  for (const type of TOUCHES) page.addEventListener(type, touch, { passive: true, capture: true })
  page.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    for (const type of TOUCHES) page.removeEventListener(type, touch, { capture: true })
    page.removeEventListener('visibilitychange', look)
  }
}
