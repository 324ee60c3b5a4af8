import type { ReceiptWords } from './en-US.ts'

export const receiptWords: ReceiptWords = {
  paidTitle: '付款完成',
  paidMessage: '謝謝您，我們已收到您的付款。',
  refundedTitle: '退款完成',
  test: '這是測試，並未實際扣款或退款。',
  method: '付款方式',
  transaction: '交易編號',
  paidAt: '付款時間',
  subject: '帳單名稱',
  amount: '金額',
  refundAmount: '退款金額',
  refundedAt: '退款時間',
}
