import { receiptWords } from '#contract/receipt-words/zh-Hant.ts'
import type { MailWords } from './en-US.ts'

export const words: MailWords = {
  ...receiptWords,
  receiptSubject: (shop) => `${shop} 付款收據`,
  refundSubject: (shop) => `${shop} 退款`,
  nothingChargedSubject: (shop) => `付款給 ${shop}：並未扣款`,
  reissued: '補發',
  asReissued: (text) => `【補發】${text}`,
  asTest: (text) => `【測試】${text}`,
  asSample: (text) => `【樣本】${text}`,
  test: '這是測試，並未實際扣款或退款。',
  refundedWhole: '您的付款已退還。',
  refundedPart: '您的部分付款已退還。',
  refundedWhen: '何時顯示於信用卡帳單，依您的發卡機構而定。',
  nothingChargedTitle: '並未扣款',
  nothingCharged: '下列付款未完成，您的信用卡並未扣款。若仍要付款，請再次開啟商店提供的連結。',
  refundedAt: '退款時間',
  paidAmount: '付款金額',
  receiptPage: '收據頁面',
  contact: '聯絡方式',
  phone: '電話',
  email: '電子郵件',
  why: (shop) =>
    `您收到此郵件，是因為以信用卡付款給 ${shop} 時填寫了此電子郵件地址。我們絕不會以電子郵件詢問卡號或安全碼。`,
  returnTitle: '合格退款發票',
  soldOn: '銷售日期',
  returnedOn: '退款日期',
}
