/** Waiting for a payment: the QR code on the screen, and a reading of the checkout each second while somebody looks at it. */
import { useEffect } from 'react'
import { Link } from 'wouter'
import { Button } from '../../forms/button.tsx'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { cancelMerchantCheckout, drawQrCode, readMerchantCheckout } from '#contract/merchant/checkouts.ts'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { useAction, useRead, useSend } from '../../session/use-calls.ts'
import { useFormats, useWords } from '../../words/language.tsx'
import { QrPicture } from '../sharing/qr-picture.tsx'
import styles from './counter.module.css'
import { useStepFocus } from './use-step-focus.ts'
import { useWakeLock } from './use-wake-lock.ts'
import { counterWords } from './words.ts'

/** Not while the tab is hidden: nobody sees it, and it reads at once when it is looked at again. */
const READ_EACH_MS = 1000

interface WaitingProps {
  readonly checkout: MerchantCheckoutAnswer
  /** As it stands now. */
  onRead(checkout: MerchantCheckoutAnswer): void
  onNext(): void
}

export const Waiting = ({ checkout, onRead, onNext }: WaitingProps) => {
  const words = useWords(counterWords)
  const { yen } = useFormats()
  const send = useSend()
  const params = { checkoutId: checkout.id }
  const qr = useRead(drawQrCode, { params })
  const { data: read, error } = useRead(readMerchantCheckout, { params }, { again: READ_EACH_MS })
  useWakeLock()

  useEffect(() => {
    if (read !== undefined) onRead(read)
  }, [read, onRead])

  // A payment wins over a cancellation: the answer says which of them it is.
  const cancelling = useAction(() => send(cancelMerchantCheckout, { params }), onRead)
  return (
    <div className={styles['waiting']}>
      <p className={styles['total']} tabIndex={-1} ref={useStepFocus()}>
        {yen(checkout.amount)}
      </p>
      {checkout.subject === undefined ? null : <p>{checkout.subject}</p>}
      {error === null ? null : <Notice kind="warning">{words.noAnswer}</Notice>}
      {checkout.doubt === undefined ? (
        <>
          <div className={styles['code']}>
            <QrPicture of={qr} />
          </div>
          <p className={styles['lead']}>{words.scan}</p>
          <FailureNotice failure={cancelling.failure} />
          <Button
            kind="secondary"
            type="button"
            onClick={() => cancelling.run()}
            busy={cancelling.isRunning}
            disabled={checkout.paymentPending}
          >
            {words.cancel}
          </Button>
        </>
      ) : (
        // Nobody should scan it again, and the acquirer may take minutes to say what became of it.
        <>
          <p className={styles['lead']}>{words.later}</p>
          <Link className={styles['link']} href={`/checkouts/${checkout.id}`}>
            {words.toCheckout}
          </Link>
          <Button kind="secondary" type="button" onClick={onNext}>
            {words.next}
          </Button>
        </>
      )}
    </div>
  )
}
