/** Words of the screen of one checkout. */
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import type { WordsOf } from '../../words/language.tsx'

interface CheckoutWords {
  readonly title: string
  readonly toList: string
  readonly refund: string
  readonly cancelLink: string
  readonly receipt: string
  readonly copyLink: string
  readonly qr: string
  readonly print: string
  readonly doubtTitle: string
  readonly doubt: (since: string, next: string) => string
  readonly doubtDont: string
  readonly doubtThen: string
  readonly pending: string
  readonly disputes: Readonly<Record<'inquiry' | 'open', string>>
  readonly respondBy: (time: string) => string
  readonly disputeNote: (id: string) => string
  readonly facts: string
  readonly fact: Readonly<
    Record<
      | 'reference'
      | 'link'
      | 'created'
      | 'validUntil'
      | 'paid'
      | 'card'
      | 'email'
      | 'refunded'
      | 'transaction'
      | 'authentication'
      | 'remarks'
      | 'id',
      string
    >
  >
  readonly challenged: string
  readonly frictionless: string
  readonly exempt: string
  readonly tax: (rate: number) => string
  readonly refunds: string
  readonly refundStates: Readonly<Record<RefundAnswer['status'], string>>
  readonly timeline: string
  readonly refundTitle: string
  readonly refundLeft: (amount: string) => string
  readonly refundDisputed: string
  readonly whole: (amount: string) => string
  readonly part: string
  readonly partAmount: string
  readonly partAt: (rate: number, left: string) => string
  readonly partProblem: string
  readonly tooMuch: (left: string) => string
  readonly doRefund: (amount: string) => string
  readonly refundNote: string
  readonly refundDone: Readonly<Record<RefundAnswer['status'], (amount: string) => string>>
  readonly cancelTitle: string
  readonly cancelText: string
  readonly cancelled: string
  readonly notCancelled: string
  readonly receiptSent: string
}

export const checkoutWords: WordsOf<CheckoutWords> = {
  ja: {
    title: '決済の詳細',
    toList: '決済の一覧へ',
    refund: '返金する',
    cancelLink: 'リンクをキャンセル',
    receipt: '領収書を再送',
    copyLink: 'リンクをコピー',
    qr: 'QRコード',
    print: '印刷',
    doubtTitle: '支払われたかどうか、まだ分かりません',
    doubt: (since, next) =>
      `${since}から、決済会社の返事を待っています。次の確認は${next}に自動で行います。分かり次第、この画面に表示されます。`,
    doubtDont: '結果が分かるまで、商品を発送したり、もう一度支払いをお願いしたりしないでください。',
    doubtThen: '10分以上続くときは、運用担当者にも通知されます。お客様に二重に請求されることはありません。',
    pending: 'お客様が支払いの途中です。結果が分かるまで、キャンセルはできません。',
    disputes: {
      inquiry: 'カード会社から、この支払いについて問い合わせが来ています。',
      open: 'この支払いに、チャージバックの申し立てがあります。',
    },
    respondBy: (time) => `${time}までに、決済会社の管理画面で回答してください。`,
    disputeNote: (id) => `申し立ての番号: ${id}`,
    facts: '内容',
    fact: {
      reference: '注文番号',
      link: '決済リンク',
      created: '作成日時',
      validUntil: '有効期限',
      paid: '支払い日時',
      card: 'カード',
      email: '領収書の送信先',
      refunded: '返金済みの金額',
      transaction: '取引番号',
      authentication: '本人認証',
      remarks: '備考',
      id: 'ID',
    },
    challenged: 'お客様が認証を行いました（3Dセキュア）',
    frictionless: 'カード会社が認証しました（3Dセキュア）',
    exempt: '本人認証なし',
    tax: (rate) => (rate === 8 ? '軽減8％対象' : `${rate}％対象`),
    refunds: '返金',
    refundStates: { pending: '確認中', refunded: '返金済み', refused: '返金できませんでした' },
    timeline: 'これまでの流れ',
    refundTitle: '返金',
    refundLeft: (amount) => `返金できる金額は${amount}です。お支払いに使われたカードに戻ります。`,
    refundDisputed: 'チャージバックで引かれた金額は、返金できません。',
    whole: (amount) => `残りの全額（${amount}）`,
    part: '一部の金額',
    partAmount: '返金する金額',
    partAt: (rate, left) => `${rate === 8 ? '軽減8％' : `${rate}％`}対象（残り${left}）`,
    partProblem: '返金する金額を、1円以上の数字で入力してください。',
    tooMuch: (left) => `返金できるのは${left}までです。`,
    doRefund: (amount) => `${amount}を返金する`,
    refundNote: '返金は取り消せません。続けるには、パスキーでの確認が必要な場合があります。',
    refundDone: {
      pending: (amount) => `${amount}の返金を申し込みました。結果を確認しています。`,
      refunded: (amount) => `${amount}を返金しました。`,
      refused: (amount) => `${amount}の返金が断られました。お金は戻っていません。`,
    },
    cancelTitle: 'このリンクをキャンセルしますか？',
    cancelText: 'お客様は、このリンクで支払えなくなります。キャンセルは取り消せません。',
    cancelled: 'キャンセルしました。',
    notCancelled: 'キャンセルできませんでした。現在の状態をご確認ください。',
    receiptSent: '領収書を送信します。',
  },
  'en-US': {
    title: 'Checkout',
    toList: 'All checkouts',
    refund: 'Refund',
    cancelLink: 'Cancel the link',
    receipt: 'Send receipt again',
    copyLink: 'Copy link',
    qr: 'QR code',
    print: 'Print',
    doubtTitle: 'It is not known yet whether this was paid',
    doubt: (since, next) =>
      `The acquirer has not answered since ${since}. It is asked again by itself at ${next}, and what it says appears here.`,
    doubtDont: 'Until then do not deliver, and do not ask the customer to pay again.',
    doubtThen: 'After ten minutes the operator is called too. Nobody is charged twice.',
    pending: 'The shopper is paying at this moment. It can be cancelled once the outcome is known.',
    disputes: {
      inquiry: 'The issuer asks about this payment.',
      open: 'This payment is disputed (chargeback).',
    },
    respondBy: (time) => `Answer at your acquirer before ${time}.`,
    disputeNote: (id) => `Id of the dispute: ${id}`,
    facts: 'Details',
    fact: {
      reference: 'Reference',
      link: 'Payment link',
      created: 'Created',
      validUntil: 'Valid until',
      paid: 'Paid',
      card: 'Card',
      email: 'Receipt goes to',
      refunded: 'Refunded so far',
      transaction: 'Transaction id',
      authentication: 'Authentication',
      remarks: 'Remarks',
      id: 'Id',
    },
    challenged: 'By the shopper (3-D Secure challenge)',
    frictionless: 'By the issuer (3-D Secure)',
    exempt: 'None',
    tax: (rate) => (rate === 8 ? 'At 8 % (reduced)' : `At ${rate} %`),
    refunds: 'Refunds',
    refundStates: { pending: 'Pending', refunded: 'Refunded', refused: 'Refused' },
    timeline: 'What happened',
    refundTitle: 'Refund',
    refundLeft: (amount) => `${amount} can be given back, to the card that paid.`,
    refundDisputed: 'What a chargeback has taken cannot be refunded.',
    whole: (amount) => `All that is left (${amount})`,
    part: 'A part',
    partAmount: 'Amount to refund',
    partAt: (rate, left) => `At ${rate} %${rate === 8 ? ' (reduced)' : ''}, ${left} left`,
    partProblem: 'Enter the amount to refund, at least 1 yen.',
    tooMuch: (left) => `At most ${left} can be refunded.`,
    doRefund: (amount) => `Refund ${amount}`,
    refundNote: 'A refund cannot be undone. You may be asked for your passkey.',
    refundDone: {
      pending: (amount) => `The refund of ${amount} was asked for. Its outcome is awaited.`,
      refunded: (amount) => `Refunded ${amount}.`,
      refused: (amount) => `The refund of ${amount} was refused. Nothing was given back.`,
    },
    cancelTitle: 'Cancel this link?',
    cancelText: 'It can no longer be paid. This cannot be undone.',
    cancelled: 'Cancelled.',
    notCancelled: 'It could not be cancelled. Look at its state.',
    receiptSent: 'The receipt is being sent.',
  },
}
