import { receiptWords } from '#contract/receipt-words/ko.ts'
import type { MailWords } from './en-US.ts'

export const words: MailWords = {
  ...receiptWords,
  receiptSubject: (shop) => `${shop} 결제 영수증`,
  refundSubject: (shop) => `${shop} 환불`,
  nothingChargedSubject: (shop) => `${shop} 결제: 청구된 금액이 없습니다`,
  reissued: '재발행',
  asReissued: (text) => `[재발행] ${text}`,
  asTest: (text) => `[테스트] ${text}`,
  asSample: (text) => `[견본] ${text}`,
  test: '테스트입니다. 실제로 청구되거나 환불되지 않았습니다.',
  refundedWhole: '결제하신 금액이 환불되었습니다.',
  refundedPart: '결제하신 금액의 일부가 환불되었습니다.',
  refundedWhen: '카드 이용 내역에 반영되는 시기는 카드사에 따라 다릅니다.',
  nothingChargedTitle: '청구된 금액이 없습니다',
  nothingCharged:
    '아래 결제는 완료되지 않았으며 카드에 청구된 금액은 없습니다. 계속 결제하시려면 상점에서 받은 링크를 다시 열어 주세요.',
  refundedAt: '환불 일시',
  paidAmount: '결제 금액',
  receiptPage: '영수증 페이지',
  contact: '문의처',
  phone: '전화번호',
  email: '이메일',
  why: (shop) =>
    `이 메일은 ${shop} 카드 결제 시 입력된 이메일 주소로 발송되었습니다. 카드 번호나 보안 코드를 이메일로 묻지 않습니다.`,
  returnTitle: '적격 반환 청구서',
  soldOn: '매출 일자',
  returnedOn: '환불 일자',
}
