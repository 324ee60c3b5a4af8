/** Challenge screen: the card issuer's page in a frame, below a bar with the shop, the amount and the way back. */
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { Button } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useLanguage } from '../words/language-provider.tsx'
import styles from './challenge.module.css'
import type { ChallengeFrame, FrameEvent } from './frame-events.ts'
import type { ProviderMessage } from './messages.ts'
import { CHALLENGE_ALLOW, IFRAME_SANDBOX } from './iframe-permissions.ts'
import { useFrameMessages } from './use-frame-messages.ts'
import { useHistoryEntry } from './use-history-entry.ts'
import { useMonitorPolling } from './use-monitor-polling.ts'
import { useThreeDSFacts } from './three-ds-facts.ts'
import { useTimeout } from './use-timeout.ts'

interface ChallengeProps {
  readonly checkout: PageCheckout
  readonly challenge: ChallengeFrame
  readonly dispatch: (event: FrameEvent) => void
}

export const Challenge = ({ checkout, challenge, dispatch }: ChallengeProps) => {
  const { words, locale } = useLanguage()
  const threeDS = useThreeDSFacts()
  const { orderCode, challengeUrl, monitoringUrl } = challenge
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [needsHelp, setNeedsHelp] = useState(false)

  const onMessage = useCallback((message: ProviderMessage) => dispatch({ type: 'message', message }), [dispatch])
  const onReady = useCallback(() => dispatch({ type: 'result ready', orderCode }), [dispatch, orderCode])
  const abandon = useCallback(() => dispatch({ type: 'abandoned' }), [dispatch])
  const offerHelp = useCallback(() => setNeedsHelp(true), [])
  const frameRef = useFrameMessages(orderCode, onMessage)
  useMonitorPolling(monitoringUrl, onReady)
  useHistoryEntry(abandon)
  useTimeout(threeDS.challengeLimitMs, abandon)
  useTimeout(threeDS.challengeHelpMs, offerHelp)

  useEffect(() => {
    // The form that had the focus is hidden, and the window may still be scrolled down to its button.
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])

  return (
    <section className={styles['challenge']} aria-labelledby={headingId}>
      <div className={styles['bar']}>
        <div className={styles['barContent']}>
          <p className={styles['summary']}>
            <span className={styles['shop']}>{checkout.receipt.shopName}</span>
            <span className={styles['amount']}>{yenText(checkout.amount, locale)}</span>
          </p>
          <div className={styles['back']}>
            <Button kind="secondary" type="button" onClick={abandon}>
              {words.challenge.back}
            </Button>
          </div>
        </div>
      </div>
      <div className={styles['intro']}>
        <div className={needsHelp ? styles['replaced'] : ''}>
          <h1 ref={heading} id={headingId} tabIndex={-1} className={styles['heading']}>
            {words.challenge.heading}
          </h1>
          <p className={styles['text']}>{words.challenge.intro}</p>
        </div>
        {/* Reserves the space that the help will need: the frame must not move under the shopper's finger. */}
        <p className={`${styles['text']} ${styles['reservedSpace']}`} aria-hidden="true">
          {words.challenge.help}
        </p>
        <p className={styles['text']} role="status">
          {needsHelp ? words.challenge.help : null}
        </p>
      </div>
      <div className={styles['frameArea']}>
        {isLoaded ? null : (
          <div className={styles['loading']}>
            <Spinner label={words.error.loading} size="small" />
          </div>
        )}
        <iframe
          ref={frameRef}
          className={styles['frame']}
          title={words.challenge.frame}
          sandbox={IFRAME_SANDBOX.challenge}
          allow={CHALLENGE_ALLOW}
          data-src={challengeUrl}
          // An empty frame has loaded too.
          onLoad={({ currentTarget }) => setLoaded(currentTarget.src !== '')}
        />
      </div>
    </section>
  )
}
