/** A window that draws no frame must not keep a payment from going on. */
const DRAWN_WITHIN_MS = 100

const ignore = (): void => undefined

/**
 * Cross-fade from one screen to the next, by the browser's own view transition: its pictures of both are opacity alone, and
 * the screens themselves, their focus and what is announced are as without it. `update` draws the next screen, once, and is
 * run at once where the browser knows no such transition, the page is hidden, or the shopper wants no motion.
 */
export const crossFade = (update: () => void | Promise<void>): void => {
  const canFade =
    typeof document.startViewTransition === 'function' &&
    document.visibilityState === 'visible' &&
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!canFade) {
    void update()
    return
  }
  let isRun = false
  const runOnce = (): void | Promise<void> => {
    if (isRun) return undefined
    isRun = true
    return update()
  }
  setTimeout(() => void runOnce(), DRAWN_WITHIN_MS)
  const { ready, finished, updateCallbackDone } = document.startViewTransition(runOnce)
  // A transition that the browser gives up has changed the screen all the same.
  for (const promise of [ready, finished, updateCallbackDone]) promise.catch(ignore)
}
