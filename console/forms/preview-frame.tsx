/** Preview frame: a shop's real page in a frame, as wide as a phone or a desktop, drawn smaller where there is less room. */
import { useEffect, useRef, useState } from 'react'
import styles from './preview-frame.module.css'

export type PreviewWidth = 'phone' | 'wide'

const SIZES: Readonly<Record<PreviewWidth, { readonly width: number; readonly height: number }>> = {
  phone: { width: 390, height: 780 },
  wide: { width: 1280, height: 900 },
}

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

/** How wide the element is, as often as that changes. */
const useWidth = (): readonly [ref: React.RefObject<HTMLDivElement | null>, width: number] => {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
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
  const [room, roomWidth] = useWidth()
  const size = SIZES[width]
  const scale = roomWidth === 0 ? 1 : Math.min(1, roomWidth / size.width)
  // A new frame for each address: one that is led elsewhere adds an entry to the history, and Back would go through them all. The
  // old one stays until the new one is there.
  const addresses = shown === null || shown === wanted ? [wanted] : [shown, wanted]
  return (
    <div ref={room} className={styles['room']}>
      <div className={styles['window']} style={{ width: size.width * scale, height: size.height * scale }}>
        {addresses.map((each) => {
          const isWaiting = shown !== null && each !== shown
          return (
            <iframe
              key={each}
              className={`${styles['frame']} ${isWaiting ? styles['waiting'] : ''}`}
              style={{ ...size, transform: `scale(${scale})` }}
              src={each}
              title={title}
              sandbox={SANDBOX}
              referrerPolicy="no-referrer"
              aria-hidden={isWaiting}
              tabIndex={isWaiting ? -1 : undefined}
              onLoad={() => setShown(each)}
            />
          )
        })}
      </div>
    </div>
  )
}
