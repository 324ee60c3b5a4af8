import type { ReceiptWords } from './en-US.ts'

export const receiptWords: ReceiptWords = {
  paidTitle: 'ชำระเงินเรียบร้อยแล้ว',
  paidMessage: 'ขอขอบคุณ เราได้รับการชำระเงินของคุณแล้ว',
  refundedTitle: 'คืนเงินเรียบร้อยแล้ว',
  test: 'นี่คือการทดสอบ ไม่มีการเรียกเก็บเงินหรือคืนเงินจริง',
  method: 'วิธีการชำระเงิน',
  transaction: 'หมายเลขธุรกรรม',
  paidAt: 'วันและเวลาที่ชำระ',
  subject: 'รายการ',
  amount: 'จำนวนเงิน',
  refundAmount: 'ยอดเงินคืน',
  refundedAt: 'วันและเวลาที่คืนเงิน',
}
