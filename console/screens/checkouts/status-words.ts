/** Status words: what the state of a checkout is called. */
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { WordsOf } from '../../words/language.tsx'

/** A checkout as a shop's person tells it apart: its state, or that money is moving, or that a part was given back. */
export type ShownStatus = MerchantCheckoutAnswer['status'] | 'pending' | 'doubt' | 'partly_refunded'

type Shown = Pick<MerchantCheckoutAnswer, 'status' | 'paymentPending' | 'refundedAmount' | 'doubt'>

export const shownStatus = ({ status, paymentPending, refundedAmount, doubt }: Shown): ShownStatus => {
  if (doubt !== undefined) return 'doubt'
  if (paymentPending) return 'pending'
  return status === 'paid' && refundedAmount > 0 ? 'partly_refunded' : status
}

export const statusWords: WordsOf<Readonly<Record<ShownStatus, string>>> = {
  ja: {
    open: '未決済',
    paid: '決済済み',
    partly_refunded: '一部返金',
    refunded: '返金済み',
    failed: '決済失敗',
    cancelled: 'キャンセル',
    expired: '期限切れ',
    pending: '処理中',
    doubt: '結果確認中',
  },
  'en-US': {
    open: 'Not paid',
    paid: 'Paid',
    partly_refunded: 'Refunded in part',
    refunded: 'Refunded',
    failed: 'Failed',
    cancelled: 'Cancelled',
    expired: 'Expired',
    pending: 'Under way',
    doubt: 'In doubt',
  },
}
