/** Words of the counter. */
import type { CheckoutStatus } from '#contract/checkout.ts'
import type { WordsOf } from '../../words/language.tsx'

interface CounterWords {
  readonly title: string
  readonly amount: string
  readonly subject: string
  readonly keypad: string
  readonly back: string
  readonly show: string
  readonly amountProblem: string
  readonly scan: string
  readonly waiting: string
  readonly paying: string
  readonly noAnswer: string
  readonly cancel: string
  readonly paid: string
  readonly card: (number: string) => string
  readonly closed: Readonly<Record<Exclude<CheckoutStatus, 'open' | 'paid'>, string>>
  readonly next: string
  readonly later: string
  readonly toCheckout: string
}

export const counterWords: WordsOf<CounterWords> = {
  ja: {
    title: '店頭決済',
    amount: '金額',
    subject: '内容（任意）',
    keypad: '金額のキー',
    back: '1文字消す',
    show: 'QRコードを表示',
    amountProblem: 'この金額は受け付けられません。',
    scan: 'お客様のスマートフォンで読み取ってください。',
    waiting: 'お支払いを待っています',
    paying: 'お支払いを確認しています。もう一度支払わないでください。',
    noAnswer: 'サーバーに接続できません。接続が戻ると、自動で更新されます。',
    cancel: '取り消す',
    paid: 'お支払いが完了しました',
    card: (number) => `カード ${number}`,
    closed: {
      refunded: '返金済みです',
      failed: 'お支払いできませんでした',
      cancelled: '取り消しました',
      expired: '期限が切れました',
    },
    next: '次のお客様',
    later: '確認に時間がかかるときは、次のお客様の会計に進めます。結果は決済の詳細に表示されます。',
    toCheckout: '決済の詳細を開く',
  },
  'en-US': {
    title: 'Counter',
    amount: 'Amount',
    subject: 'Subject (optional)',
    keypad: 'Keys for the amount',
    back: 'Delete one digit',
    show: 'Show the QR code',
    amountProblem: 'This amount is not accepted.',
    scan: 'The customer scans this with a phone.',
    waiting: 'Waiting for the payment',
    paying: 'The payment is being confirmed. Do not ask the customer to pay again.',
    noAnswer: 'The server cannot be reached. This goes on by itself once it can.',
    cancel: 'Cancel',
    paid: 'Paid',
    card: (number) => `Card ${number}`,
    closed: {
      refunded: 'It was refunded',
      failed: 'The payment failed',
      cancelled: 'Cancelled',
      expired: 'Its time is over',
    },
    next: 'Next customer',
    later: 'If this takes long, serve the next customer: the outcome appears on the screen of this checkout.',
    toCheckout: 'Open this checkout',
  },
}
