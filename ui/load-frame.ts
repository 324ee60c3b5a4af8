/** Frame loading: a frame is laid out before its page is loaded, in both bundles. */

/**
 * Loads the address in the `data-src` of a frame that was inserted just now. Laid out before: Chromium never draws a frame that was
 * laid out for the first time while its page arrived. Null: as a `ref` it is told that the frame is gone.
 */
export const loadFrame = (frame: Pick<HTMLIFrameElement, 'dataset' | 'src' | 'getBoundingClientRect'> | null): void => {
  if (frame === null) return
  frame.getBoundingClientRect()
  frame.src = frame.dataset['src'] ?? ''
}
