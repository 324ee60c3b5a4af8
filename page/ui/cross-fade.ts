/**
 * Cross-fade from one screen to the next, by the browser's own view transition: its pictures of both are opacity alone, and
 * the screens themselves, their focus and what is announced are as without it. `update` draws the next screen; it waits for
 * a frame, so nothing that a payment needs to go on may be in it.
 */
export const crossFade = (update: () => void | Promise<void>): void => {
  const canFade =
    typeof document.startViewTransition === 'function' && !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!canFade) {
    void update()
    return
  }
  const { ready } = document.startViewTransition(async () => {
    await update()
    // React and the query client draw in tasks of their own.
    await new Promise((resolve) => setTimeout(resolve))
  })
  // A transition that the browser gives up has changed the screen all the same.
  ready.catch(() => undefined)
}
