/** Preview frame: a shop's real page in a frame, as wide as a phone or a desktop, drawn smaller where there is less room. */
import { useEffect, useRef, useState } from 'react'
import { loadFrame } from '#ui/load-frame.ts'
import styles from './preview-frame.module.css'

export type PreviewWidth = 'phone' | 'wide'

/** In pixels, as in the style. */
const WIDTHS: Readonly<Record<PreviewWidth, number>> = { phone: 390, wide: 1280 }
/** Of the window around the frame. */
const BORDER = 1

/** The page's own script alone: no link of it opens anything from here. It is of another origin, and cannot take this off. */
const SANDBOX = 'allow-scripts allow-same-origin'

/** While somebody types, the page is not drawn for each letter. */
const SETTLED_MS = 400

const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** Tells the style how much smaller the page is drawn, as often as the room for it changes. */
const useScale = (width: PreviewWidth): React.RefObject<HTMLDivElement | null> => {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => {
      // While it is not shown it has no width.
      if (element.clientWidth === 0) return
      const scale = Math.min(1, (element.clientWidth - 2 * BORDER) / WIDTHS[width])
      element.style.setProperty('--scale', String(scale))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  return ref
}

interface PreviewFrameProps {
  /** Of `previewAddress`; whatever changes it is shown a moment later. */
  readonly address: string
  readonly width: PreviewWidth
  /** What a screen reader calls it. */
  readonly title: string
}

export const PreviewFrame = ({ address, width, title }: PreviewFrameProps) => {
  const wanted = useSettled(address)
  const [shown, setShown] = useState<string | null>(null)
  const room = useScale(width)
  // A new frame for each address: one that is led elsewhere adds an entry to the history, and Back would go through them all. The
  // old one stays until the new one is there.
  const addresses = shown === null || shown === wanted ? [wanted] : [shown, wanted]
  return (
    <div ref={room} className={`${styles['room']} ${styles[width]}`}>
      <div className={styles['window']}>
        {addresses.map((each) => {
          const isWaiting = shown !== null && each !== shown
          return (
            <iframe
              key={each}
              className={`${styles['frame']} ${isWaiting ? styles['waiting'] : ''}`}
              ref={loadFrame}
              data-src={each}
              title={title}
              sandbox={SANDBOX}
              referrerPolicy="no-referrer"
              aria-hidden={isWaiting}
              tabIndex={isWaiting ? -1 : undefined}
              // An empty frame has loaded too.
              onLoad={({ currentTarget }) => (currentTarget.src === '' ? undefined : setShown(each))}
            />
          )
        })}
      </div>
    </div>
  )
}
