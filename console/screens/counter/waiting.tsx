/** Waiting for a payment: the QR code on the screen, and a reading of the checkout each second while somebody looks at it. */
import { useEffect } from 'react'
import { Button } from '#ui/button.tsx'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { cancelMerchantCheckout, drawQrCode, readMerchantCheckout } from '#contract/merchant/checkouts.ts'
import { FailureNotice, Notice } from '../../forms/notice.tsx'
import { useAction, useRead, useSend } from '../../session/use-calls.ts'
import { useFormats, useWords } from '../../words/language.tsx'
import { QrPicture } from '../sharing/qr-picture.tsx'
import styles from './counter.module.css'
import { useWakeLock } from './use-wake-lock.ts'
import { counterWords } from './words.ts'

/** Not while the tab is hidden: nobody sees it, and it reads at once when it is looked at again. */
const READ_EACH_MS = 1000

interface WaitingProps {
  readonly checkout: MerchantCheckoutAnswer
  /** It is paid, or can no longer be. */
  onSettled(checkout: MerchantCheckoutAnswer): void
}

export const Waiting = ({ checkout, onSettled }: WaitingProps) => {
  const words = useWords(counterWords)
  const { yen } = useFormats()
  const send = useSend()
  const params = { checkoutId: checkout.id }
  const qr = useRead(drawQrCode, { params })
  const { data: read = checkout, error } = useRead(readMerchantCheckout, { params }, { refetchInterval: READ_EACH_MS })
  useWakeLock()

  useEffect(() => {
    if (read.status !== 'open') onSettled(read)
  }, [read, onSettled])

  // A payment wins over a cancellation: the answer says which of them it is.
  const cancelling = useAction(() => send(cancelMerchantCheckout, { params }), onSettled)
  return (
    <div className={styles['waiting']}>
      <p className={styles['total']}>{yen(checkout.amount)}</p>
      {checkout.subject === undefined ? null : <p>{checkout.subject}</p>}
      <div className={styles['code']}>
        <QrPicture of={qr} />
      </div>
      <p className={styles['lead']}>{words.scan}</p>
      <p className={styles['state']} role="status">
        {read.paymentPending ? words.paying : words.waiting}
      </p>
      {error === null ? null : <Notice kind="warning">{words.noAnswer}</Notice>}
      <FailureNotice failure={cancelling.failure} />
      <Button
        kind="secondary"
        type="button"
        onClick={() => cancelling.run()}
        busy={cancelling.isRunning}
        disabled={cancelling.isRunning || read.paymentPending}
      >
        {words.cancel}
      </Button>
    </div>
  )
}
