/** Words of the page of a reusable link. */
import type { PageLocale } from '#contract/locale.ts'

interface Text {
  readonly title: string
  readonly text: string
}

/** Why a link opens no checkout. `stopped`: its merchant has switched it off, or its settings no longer allow it. */
export type ClosedLink = 'full' | 'ended' | 'stopped' | 'shopClosed'

export interface LinkPageWords extends Readonly<Record<ClosedLink, Text>> {
  readonly amount: string
  readonly bounds: (min: string, max: string) => string
  readonly noAmount: string
  readonly tooLittle: (min: string) => string
  readonly tooMuch: (max: string) => string
  readonly button: string
  readonly testMode: string
  readonly languages: string
}

export const linkPageWords: Readonly<Record<PageLocale, LinkPageWords>> = {
  ja: {
    amount: '金額',
    bounds: (min, max) => `${min}から${max}まで`,
    noAmount: '金額を数字で入力してください（例：1,980）。',
    tooLittle: (min) => `${min}以上の金額を入力してください。`,
    tooMuch: (max) => `${max}以下の金額を入力してください。`,
    button: 'お支払いへ進む',
    testMode: 'テストモードです。実際の請求は発生しません。',
    languages: '言語',
    full: {
      title: '受付を終了しました',
      text: '受付件数の上限に達したため、お支払いの受付を終了しました。くわしくはショップにお問い合わせください。',
    },
    ended: {
      title: '受付期間が終了しました',
      text: 'このリンクでのお支払いの受付期間は終了しました。くわしくはショップにお問い合わせください。',
    },
    stopped: {
      title: '現在ご利用いただけません',
      text: '現在、このリンクでのお支払いを受け付けておりません。くわしくはショップにお問い合わせください。',
    },
    shopClosed: {
      title: 'お支払いを受け付けておりません',
      text: 'このショップはお支払いの受付を終了しました。',
    },
  },
  'en-US': {
    amount: 'Amount',
    bounds: (min, max) => `From ${min} to ${max}`,
    noAmount: 'Enter a whole amount in yen, such as 1,980.',
    tooLittle: (min) => `Enter ${min} or more.`,
    tooMuch: (max) => `Enter ${max} or less.`,
    button: 'Continue to payment',
    testMode: 'Test mode: no money moves.',
    languages: 'Languages',
    full: {
      title: 'No more payments are taken',
      text: 'This link has reached its number of payments. Please contact the shop.',
    },
    ended: {
      title: 'This link has ended',
      text: 'It could be paid until the date that the shop set. Please contact the shop.',
    },
    stopped: {
      title: 'This link cannot be paid right now',
      text: 'The shop takes no payments by this link at the moment. Please contact the shop.',
    },
    shopClosed: { title: 'No payments are taken', text: 'This shop takes no payments any more.' },
  },
  ko: {
    amount: '결제 금액',
    bounds: (min, max) => `${min}부터 ${max}까지`,
    noAmount: '금액을 숫자로 입력해 주세요(예: 1,980).',
    tooLittle: (min) => `${min} 이상의 금액을 입력해 주세요.`,
    tooMuch: (max) => `${max} 이하의 금액을 입력해 주세요.`,
    button: '결제 진행하기',
    testMode: '테스트 모드입니다. 실제로 청구되지 않습니다.',
    languages: '언어',
    full: {
      title: '결제 접수가 마감되었습니다',
      text: '이 링크로 받을 수 있는 결제 건수를 모두 채웠습니다. 상점에 문의해 주세요.',
    },
    ended: {
      title: '결제 기간이 끝났습니다',
      text: '이 링크로 결제할 수 있는 기간이 지났습니다. 상점에 문의해 주세요.',
    },
    stopped: {
      title: '지금은 결제할 수 없습니다',
      text: '현재 이 링크로는 결제를 받지 않습니다. 상점에 문의해 주세요.',
    },
    shopClosed: { title: '결제를 받지 않습니다', text: '이 상점은 결제 접수를 종료했습니다.' },
  },
  'zh-Hans': {
    amount: '金额',
    bounds: (min, max) => `${min} 至 ${max}`,
    noAmount: '请输入数字金额（例如 1,980）。',
    tooLittle: (min) => `请输入不低于 ${min} 的金额。`,
    tooMuch: (max) => `请输入不超过 ${max} 的金额。`,
    button: '前往付款',
    testMode: '测试模式：不会实际扣款。',
    languages: '语言',
    full: { title: '已停止收款', text: '此链接的付款笔数已达上限。请联系商店。' },
    ended: { title: '付款期限已过', text: '此链接的付款期限已结束。请联系商店。' },
    stopped: { title: '目前无法付款', text: '商店目前不通过此链接收款。请联系商店。' },
    shopClosed: { title: '不再接受付款', text: '此商店已停止接受付款。' },
  },
  'zh-Hant': {
    amount: '金額',
    bounds: (min, max) => `${min} 至 ${max}`,
    noAmount: '請輸入數字金額（例如 1,980）。',
    tooLittle: (min) => `請輸入不低於 ${min} 的金額。`,
    tooMuch: (max) => `請輸入不超過 ${max} 的金額。`,
    button: '前往付款',
    testMode: '測試模式：不會實際扣款。',
    languages: '語言',
    full: { title: '已停止收款', text: '此連結的付款筆數已達上限。請聯絡商店。' },
    ended: { title: '付款期限已過', text: '此連結的付款期限已結束。請聯絡商店。' },
    stopped: { title: '目前無法付款', text: '商店目前不透過此連結收款。請聯絡商店。' },
    shopClosed: { title: '不再接受付款', text: '此商店已停止接受付款。' },
  },
  th: {
    amount: 'จำนวนเงิน',
    bounds: (min, max) => `ตั้งแต่ ${min} ถึง ${max}`,
    noAmount: 'โปรดกรอกจำนวนเงินเป็นตัวเลข (เช่น 1,980)',
    tooLittle: (min) => `โปรดกรอกจำนวนเงินตั้งแต่ ${min} ขึ้นไป`,
    tooMuch: (max) => `โปรดกรอกจำนวนเงินไม่เกิน ${max}`,
    button: 'ดำเนินการชำระเงิน',
    testMode: 'โหมดทดสอบ: ไม่มีการเรียกเก็บเงินจริง',
    languages: 'ภาษา',
    full: { title: 'ปิดรับชำระเงินแล้ว', text: 'ลิงก์นี้รับชำระเงินครบจำนวนแล้ว โปรดติดต่อร้านค้า' },
    ended: { title: 'หมดเวลาชำระเงินแล้ว', text: 'ระยะเวลาชำระเงินผ่านลิงก์นี้สิ้นสุดแล้ว โปรดติดต่อร้านค้า' },
    stopped: { title: 'ขณะนี้ไม่สามารถชำระเงินได้', text: 'ขณะนี้ร้านค้าไม่รับชำระเงินผ่านลิงก์นี้ โปรดติดต่อร้านค้า' },
    shopClosed: { title: 'ไม่รับชำระเงิน', text: 'ร้านค้านี้ปิดรับชำระเงินแล้ว' },
  },
}
