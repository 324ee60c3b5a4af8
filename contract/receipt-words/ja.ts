import type { ReceiptWords } from './en-US.ts'

export const receiptWords: ReceiptWords = {
  paidTitle: 'お支払いが完了しました',
  paidMessage: 'お支払いいただき、ありがとうございます。',
  refundedTitle: '返金が完了しました',
  test: 'これはテストです。実際の請求や返金は発生していません。',
  method: 'お支払い方法',
  transaction: '取引番号',
  paidAt: 'お支払い日時',
  subject: '件名',
  amount: '金額',
  refundAmount: '返金額',
  refundedAt: '返金日時',
}
