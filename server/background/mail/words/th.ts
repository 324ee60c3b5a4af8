import { receiptWords } from '#contract/receipt-words/th.ts'
import type { MailWords } from './en-US.ts'

export const words: MailWords = {
  ...receiptWords,
  receiptSubject: (shop) => `ใบเสร็จจาก ${shop}`,
  refundSubject: (shop) => `การคืนเงินจาก ${shop}`,
  nothingChargedSubject: (shop) => `ไม่มีการเรียกเก็บเงิน: การชำระเงินให้ ${shop}`,
  reissued: 'ออกใหม่',
  asReissued: (text) => `[ออกใหม่] ${text}`,
  asTest: (text) => `[ทดสอบ] ${text}`,
  asSample: (text) => `ตัวอย่าง: ${text}`,
  test: 'นี่คือการทดสอบ ไม่มีการเรียกเก็บเงินหรือคืนเงินจริง',
  refundedWhole: 'เราคืนเงินที่คุณชำระให้เรียบร้อยแล้ว',
  refundedPart: 'เราคืนเงินบางส่วนที่คุณชำระให้เรียบร้อยแล้ว',
  refundedWhen: 'เวลาที่รายการจะแสดงในใบแจ้งยอดบัตรขึ้นอยู่กับผู้ออกบัตรของคุณ',
  nothingChargedTitle: 'ไม่มีการเรียกเก็บเงิน',
  nothingCharged:
    'การชำระเงินด้านล่างไม่สำเร็จและไม่มีการเรียกเก็บเงินจากบัตรของคุณ หากยังต้องการชำระเงิน โปรดเปิดลิงก์ที่ได้รับจากร้านค้าอีกครั้ง',
  refundedAt: 'วันและเวลาที่คืนเงิน',
  paidAmount: 'ยอดเงินที่ชำระ',
  receiptPage: 'หน้าใบเสร็จ',
  contact: 'ติดต่อร้านค้า',
  phone: 'โทรศัพท์',
  email: 'อีเมล',
  why: (shop) =>
    `คุณได้รับอีเมลนี้เพราะมีการกรอกที่อยู่อีเมลนี้เมื่อชำระเงินด้วยบัตรให้ ${shop} เราไม่เคยสอบถามหมายเลขบัตรหรือรหัสความปลอดภัยทางอีเมล`,
  returnTitle: 'ใบลดหนี้ของญี่ปุ่น',
  soldOn: 'วันที่ขาย',
  returnedOn: 'วันที่คืนเงิน',
}
