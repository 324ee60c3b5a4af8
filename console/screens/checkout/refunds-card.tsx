/** Refunds card: what was given back of a checkout. */
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import { Card } from '../../shell/screen.tsx'
import { useFormats, useWords } from '../../words/language.tsx'
import { reasonWords, tellRefundReason } from './reason-words.ts'
import { checkoutWords } from './words.ts'
import styles from './checkout.module.css'

export const RefundsCard = ({ refunds }: { readonly refunds: readonly RefundAnswer[] }) => {
  const [words, reasons, { yen, time }] = [useWords(checkoutWords), useWords(reasonWords), useFormats()]
  if (refunds.length === 0) return null
  return (
    <Card title={words.refunds}>
      <ul className={styles['timeline']}>
        {refunds.map(({ refundId, amount, status, requestedAt, refundedAt, reason }) => (
          <li key={refundId} className={styles['change']}>
            <span className={styles['sentence']}>
              {yen(amount)} · {words.refundStates[status]}
            </span>
            <span className={styles['when']}>
              {time(refundedAt ?? requestedAt)}
              {reason === undefined ? '' : ` · ${tellRefundReason(reason, reasons)}`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
