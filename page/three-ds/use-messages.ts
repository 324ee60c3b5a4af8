import { useCallback, useLayoutEffect, useRef } from 'react'
import { useInitialData } from '../page-context.ts'
import { admit, type ProviderMessage } from './messages.ts'

type FrameRef = (frame: HTMLIFrameElement) => () => void

/**
 * Hears the frames of one screen, from before they can speak until they are gone. A layout effect runs in the very task
 * that puts the frames into the document, and a frame's first message is a later one. Answers the `ref` of each frame.
 */
export const useMessages = (orderCode: string, onMessage: (message: ProviderMessage) => void): FrameRef => {
  const { threeDS } = useInitialData()
  const frames = useRef(new Set<HTMLIFrameElement>())

  useLayoutEffect(() => {
    const hear = (event: MessageEvent<unknown>): void => {
      const windows = Array.from(frames.current, ({ contentWindow }) => contentWindow)
      const message = admit(event, { messageDomains: threeDS.messageDomains, frames: windows, orderCode })
      if (message !== undefined) onMessage(message)
    }
    window.addEventListener('message', hear)
    return () => window.removeEventListener('message', hear)
  }, [threeDS, orderCode, onMessage])

  return useCallback((frame) => {
    const standing = frames.current
    standing.add(frame)
    return () => standing.delete(frame)
  }, [])
}
