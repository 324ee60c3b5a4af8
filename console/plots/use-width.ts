/** Width of an element: a plot is drawn as wide as its place is, so that its words keep their size on a phone. */
import { useEffect, useRef, useState, type RefObject } from 'react'

/** 0 until it is known. */
export const useWidth = (): readonly [RefObject<HTMLDivElement | null>, number] => {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)

  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return [place, width]
}
