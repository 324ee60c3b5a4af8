/**
 * Frame messages: listens to the frames of one screen from before their first message until they are gone. A layout effect
 * runs in the task that inserts the frames, so no message can come earlier. Returns the `ref` for each frame, which loads the
 * address in its `data-src`.
 */
import { useCallback, useLayoutEffect, useRef } from 'react'
import { loadFrame } from '#ui/load-frame.ts'
import { useThreeDSFacts } from './three-ds-facts.ts'
import { acceptMessage, type ProviderMessage } from './messages.ts'

type FrameRef = (frame: HTMLIFrameElement) => () => void

export const useFrameMessages = (orderCode: string, onMessage: (message: ProviderMessage) => void): FrameRef => {
  const threeDS = useThreeDSFacts()
  const frames = useRef(new Set<HTMLIFrameElement>())

  useLayoutEffect(() => {
    const onWindowMessage = (event: MessageEvent<unknown>): void => {
      const windows = Array.from(frames.current, ({ contentWindow }) => contentWindow)
      const message = acceptMessage(event, { messageDomains: threeDS.messageDomains, frames: windows, orderCode })
      if (message !== undefined) onMessage(message)
    }
    window.addEventListener('message', onWindowMessage)
    return () => window.removeEventListener('message', onWindowMessage)
  }, [threeDS, orderCode, onMessage])

  return useCallback((frame) => {
    const mountedFrames = frames.current
    mountedFrames.add(frame)
    loadFrame(frame)
    return () => mountedFrames.delete(frame)
  }, [])
}
