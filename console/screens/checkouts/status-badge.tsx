/** Status badge: the state of a checkout in one word and one colour. */
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import { useWords } from '../../words/language.tsx'
import styles from './status-badge.module.css'
import { shownStatus, statusWords, type ShownStatus } from './status-words.ts'

const TONES: Readonly<Record<ShownStatus, 'good' | 'calm' | 'bad' | 'warning'>> = {
  open: 'calm',
  paid: 'good',
  partly_refunded: 'good',
  refunded: 'calm',
  failed: 'bad',
  cancelled: 'calm',
  expired: 'calm',
  pending: 'warning',
  doubt: 'warning',
}

type BadgeProps = Pick<MerchantCheckoutAnswer, 'status' | 'paymentPending' | 'refundedAmount' | 'doubt'>

export const StatusBadge = (checkout: BadgeProps) => {
  const words = useWords(statusWords)
  const status = shownStatus(checkout)
  return <span className={`${styles['badge']} ${styles[TONES[status]]}`}>{words[status]}</span>
}
