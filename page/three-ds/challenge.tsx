import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { yenText } from '#contract/yen.ts'
import type { PageCheckout } from '../answers.ts'
import { useInitialData } from '../page-context.ts'
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { useLanguage } from '../words/language.tsx'
import styles from './challenge.module.css'
import type { ChallengeFrame, FrameEvent } from './frame-events.ts'
import type { ProviderMessage } from './messages.ts'
import { CHALLENGE_ALLOWS, SANDBOX } from './sandbox.ts'
import { useMessages } from './use-messages.ts'
import { usePolling } from './use-polling.ts'
import { useTimeLimit } from './use-time-limit.ts'

interface ChallengeProps {
  readonly checkout: PageCheckout
  readonly challenge: ChallengeFrame
  readonly dispatch: (event: FrameEvent) => void
}

/** The card company's own page in a frame, under a bar that keeps saying who is paid, how much, and how to get out. */
export const Challenge = ({ checkout, challenge, dispatch }: ChallengeProps) => {
  const { words, locale } = useLanguage()
  const { threeDS } = useInitialData()
  const { orderCode, challengeUrl, monitoringUrl } = challenge
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isLoaded, setLoaded] = useState(false)
  const [needsHelp, setNeedsHelp] = useState(false)

  const heard = useCallback((message: ProviderMessage) => dispatch({ event: 'message', message }), [dispatch])
  const ready = useCallback(() => dispatch({ event: 'result ready', orderCode }), [dispatch, orderCode])
  const giveUp = useCallback(() => dispatch({ event: 'given up' }), [dispatch])
  const help = useCallback(() => setNeedsHelp(true), [])
  const frame = useMessages(orderCode, heard)
  usePolling(monitoringUrl, ready)
  useTimeLimit(threeDS.challengeLimitMs, giveUp)
  useTimeLimit(threeDS.challengeHelpMs, help)

  useEffect(() => {
    // The form that had the focus is collapsed, and the window may still be scrolled to where its button was.
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])

  return (
    <section className={styles['challenge']} aria-labelledby={headingId}>
      <div className={styles['bar']}>
        <div className={styles['inBar']}>
          <p className={styles['bill']}>
            <span className={styles['shop']}>{checkout.receipt.shopName}</span>
            <span className={styles['amount']}>{yenText(checkout.amount, locale)}</span>
          </p>
          <div className={styles['back']}>
            <Button kind="secondary" type="button" onClick={giveUp}>
              {words.challenge.back}
            </Button>
          </div>
        </div>
      </div>
      <div className={styles['told']}>
        <h1 ref={heading} id={headingId} tabIndex={-1} className={styles['heading']}>
          {words.challenge.heading}
        </h1>
        <div className={styles['lines']}>
          {/* Keeps the room that the help will need: the frame must not move under the shopper's finger. */}
          <p className={styles['room']} aria-hidden="true">
            {words.challenge.help}
          </p>
          <p role="status">{needsHelp ? words.challenge.help : words.challenge.intro}</p>
        </div>
      </div>
      <div className={styles['stage']}>
        {isLoaded ? null : (
          <div className={styles['loading']}>
            <Spinner label={words.error.loading} size="small" />
          </div>
        )}
        <iframe
          ref={frame}
          className={styles['frame']}
          title={words.challenge.frame}
          sandbox={SANDBOX.challenge}
          allow={CHALLENGE_ALLOWS}
          src={challengeUrl}
          onLoad={() => setLoaded(true)}
        />
      </div>
    </section>
  )
}
