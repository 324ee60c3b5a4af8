/**
 * Collect frames: two hidden frames, one in which the card issuer collects facts about the browser, one that monitors when
 * this is done. They are removed before the authentication: a frame that is left would send a message into the next state.
 */
import { useCallback } from 'react'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './collect-frames.module.css'
import type { CollectFrame, FrameEvent } from './frame-events.ts'
import { IFRAME_SANDBOX } from './iframe-permissions.ts'
import type { ProviderMessage } from './messages.ts'
import { useFrameMessages } from './use-frame-messages.ts'
import { useHistoryEntry } from './use-history-entry.ts'
import { useThreeDSFacts } from './three-ds-facts.ts'
import { useTimeout } from './use-timeout.ts'

interface CollectFramesProps {
  readonly collecting: CollectFrame
  readonly dispatch: (event: FrameEvent) => void
}

export const CollectFrames = ({ collecting, dispatch }: CollectFramesProps) => {
  const { words } = useLanguage()
  const threeDS = useThreeDSFacts()
  const onMessage = useCallback((message: ProviderMessage) => dispatch({ type: 'message', message }), [dispatch])
  const onTimeout = useCallback(() => dispatch({ type: 'collect timeout' }), [dispatch])
  const frameRef = useFrameMessages(collecting.orderCode, onMessage)
  useTimeout(threeDS.collectLimitMs, onTimeout)
  useHistoryEntry(useCallback(() => dispatch({ type: 'abandoned' }), [dispatch]))

  const hidden = { ref: frameRef, className: styles['frame'], 'aria-hidden': true, tabIndex: -1 }
  return (
    <>
      <iframe
        {...hidden}
        title={words.challenge.collectFrame}
        sandbox={IFRAME_SANDBOX.hidden}
        data-src={collecting.collectUrl}
      />
      <iframe
        {...hidden}
        title={words.challenge.monitorFrame}
        sandbox={IFRAME_SANDBOX.hidden}
        data-src={collecting.monitoringUrl}
      />
    </>
  )
}
