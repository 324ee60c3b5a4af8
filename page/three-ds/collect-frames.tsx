import { useCallback } from 'react'
import { useInitialData } from '../page-context.ts'
import { useLanguage } from '../words/language.tsx'
import styles from './collect-frames.module.css'
import type { CollectFrame, FrameEvent } from './frame-events.ts'
import { SANDBOX } from './sandbox.ts'
import type { ProviderMessage } from './messages.ts'
import { useMessages } from './use-messages.ts'
import { useTimeLimit } from './use-time-limit.ts'

interface CollectFramesProps {
  readonly collecting: CollectFrame
  readonly dispatch: (event: FrameEvent) => void
}

/**
 * Two frames that nobody sees: one shows the browser to the card company, one watches that this comes to an end. They are
 * gone before the authentication is asked for: a frame left standing would speak once more, into the next state.
 */
export const CollectFrames = ({ collecting, dispatch }: CollectFramesProps) => {
  const { words } = useLanguage()
  const { threeDS } = useInitialData()
  const heard = useCallback((message: ProviderMessage) => dispatch({ event: 'message', message }), [dispatch])
  const over = useCallback(() => dispatch({ event: 'collect time over' }), [dispatch])
  const frame = useMessages(collecting.orderCode, heard)
  useTimeLimit(threeDS.collectLimitMs, over)

  const hidden = { ref: frame, className: styles['frame'], 'aria-hidden': true, tabIndex: -1 }
  return (
    <>
      <iframe {...hidden} title={words.challenge.collectFrame} sandbox={SANDBOX.hidden} src={collecting.collectUrl} />
      <iframe
        {...hidden}
        title={words.challenge.monitorFrame}
        sandbox={SANDBOX.hidden}
        src={collecting.monitoringUrl}
      />
    </>
  )
}
