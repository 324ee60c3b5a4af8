import type { ReceiptWords } from './en-US.ts'

export const receiptWords: ReceiptWords = {
  paidTitle: '결제가 완료되었습니다',
  paidMessage: '감사합니다. 결제가 확인되었습니다.',
  refundedTitle: '환불이 완료되었습니다',
  test: '테스트입니다. 실제로 청구되거나 환불되지 않았습니다.',
  method: '결제 수단',
  transaction: '거래 번호',
  paidAt: '결제 일시',
  subject: '청구 내용',
  amount: '금액',
  refundAmount: '환불 금액',
  refundedAt: '환불 일시',
}
