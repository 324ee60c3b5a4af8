import { receiptWords } from '#contract/receipt-words/ja.ts'
import type { MailWords } from './en-US.ts'

export const words: MailWords = {
  ...receiptWords,
  receiptSubject: (shop) => `${shop}のお支払い明細`,
  refundSubject: (shop) => `${shop}からの返金`,
  nothingChargedSubject: (shop) => `${shop}へのお支払い：請求は発生していません`,
  reissued: '再発行',
  asReissued: (text) => `【再発行】${text}`,
  asTest: (text) => `【テスト】${text}`,
  asSample: (text) => `【見本】${text}`,
  test: 'これはテストです。実際の請求や返金は発生していません。',
  refundedWhole: 'お支払いいただいた金額を返金しました。',
  refundedPart: 'お支払いいただいた金額の一部を返金しました。',
  refundedWhen: 'カードのご利用明細に反映される時期は、カード会社により異なります。',
  nothingChargedTitle: '請求は発生していません',
  nothingCharged:
    '下記のお支払いは完了していません。カードへの請求も発生していません。引き続きお支払いいただく場合は、ショップからのリンクをもう一度お開きください。',
  refundedAt: '返金日時',
  paidAmount: 'お支払い金額',
  receiptPage: 'お支払い明細のページ',
  contact: 'お問い合わせ先',
  phone: '電話番号',
  email: 'メールアドレス',
  why: (shop) =>
    `このメールは、${shop}へのカードでのお支払いの際に入力されたメールアドレスにお送りしています。カード番号やセキュリティコードをメールでお尋ねすることはありません。`,
  returnTitle: '適格返還請求書',
  soldOn: '売上げの年月日',
  returnedOn: '返還の年月日',
}
