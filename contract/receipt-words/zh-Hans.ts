import type { ReceiptWords } from './en-US.ts'

export const receiptWords: ReceiptWords = {
  paidTitle: '支付成功',
  paidMessage: '感谢您，我们已收到您的付款。',
  refundedTitle: '退款成功',
  test: '这是测试，没有实际扣款或退款。',
  method: '支付方式',
  transaction: '交易号',
  paidAt: '支付时间',
  subject: '账单名称',
  amount: '金额',
  refundAmount: '退款金额',
  refundedAt: '退款时间',
}
