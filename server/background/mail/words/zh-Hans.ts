import { receiptWords } from '#contract/receipt-words/zh-Hans.ts'
import type { MailWords } from './en-US.ts'

export const words: MailWords = {
  ...receiptWords,
  receiptSubject: (shop) => `${shop} 付款收据`,
  refundSubject: (shop) => `${shop} 退款`,
  nothingChargedSubject: (shop) => `向 ${shop} 的付款：未产生扣款`,
  reissued: '补发',
  asReissued: (text) => `【补发】${text}`,
  asTest: (text) => `【测试】${text}`,
  asSample: (text) => `【样本】${text}`,
  test: '这是测试，没有实际扣款或退款。',
  refundedWhole: '您的付款已退还。',
  refundedPart: '您的部分付款已退还。',
  refundedWhen: '何时显示在信用卡账单中，取决于您的发卡机构。',
  nothingChargedTitle: '未产生扣款',
  nothingCharged: '以下支付未完成，您的信用卡未被扣款。如仍需支付，请再次打开商家提供的链接。',
  refundedAt: '退款时间',
  paidAmount: '支付金额',
  receiptPage: '收据页面',
  contact: '联系方式',
  phone: '电话',
  email: '电子邮箱',
  why: (shop) =>
    `您收到此邮件，是因为向 ${shop} 用信用卡付款时填写了此电子邮箱。我们绝不会通过电子邮件询问卡号或安全码。`,
  returnTitle: '合格退款发票',
  soldOn: '销售日期',
  returnedOn: '退款日期',
}
