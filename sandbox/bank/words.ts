/** Texts of the simulated bank, in the languages of the checkout. */

/** The shape of every language: the others must match it or they do not compile. */
const en = {
  bank: 'Mihon Bank',
  title: 'Confirm it’s you',
  lead: 'Enter the confirmation code we sent you.',
  shop: 'Shop',
  amount: 'Amount',
  card: 'Card',
  code: 'Confirmation code',
  sandbox: 'This is a sandbox. The code is 123456.',
  confirm: 'Confirm',
  cancel: 'Cancel',
  empty: 'Enter the confirmation code.',
  wrong: (left: number) => `That code is not right. You have ${left === 1 ? '1 try' : `${left} tries`} left.`,
  notAccepted: 'No code can be accepted for this card. Choose Cancel to go back.',
  stillChecking: 'We are still checking. Please wait.',
  appTitle: 'Approve in your app',
  appLead: 'Open the Mihon Bank app and approve this purchase. This page then goes on by itself.',
  appOpen: 'Open the app',
  appSandbox: 'This is a sandbox. The purchase is approved for you in a moment.',
  leaving: 'Going back to the shop',
  goOn: 'Continue',
  endedTitle: 'This confirmation has ended',
  ended: 'There is nothing more to do here. Please go back to the shop’s page.',
}

export type BankWords = typeof en

export const BANK_LANGUAGES = ['ja', 'en', 'ko', 'zh-Hans', 'zh-Hant', 'th'] as const
export type BankLanguage = (typeof BANK_LANGUAGES)[number]

export const bankWords: Record<BankLanguage, BankWords> = {
  ja: {
    bank: '見本銀行',
    title: 'ご本人確認',
    lead: 'お送りした確認コードを入力してください。',
    shop: 'ご利用先',
    amount: 'ご利用金額',
    card: 'カード',
    code: '確認コード',
    sandbox: 'これはサンドボックスです。コードは 123456 です。',
    confirm: '確認する',
    cancel: 'キャンセル',
    empty: '確認コードを入力してください。',
    wrong: (left) => `コードが違います。あと${left}回入力できます。`,
    notAccepted: 'このカードではコードを受け付けられません。キャンセルを押して戻ってください。',
    stillChecking: '確認中です。しばらくお待ちください。',
    appTitle: 'アプリで承認してください',
    appLead: '見本銀行のアプリを開き、このお買い物を承認してください。承認されると自動的に進みます。',
    appOpen: 'アプリを開く',
    appSandbox: 'これはサンドボックスです。まもなく自動で承認されます。',
    leaving: 'ショップに戻ります',
    goOn: '続ける',
    endedTitle: '確認は終了しました',
    ended: 'この画面でできることはありません。ショップの画面に戻ってください。',
  },
  en,
  ko: {
    bank: '견본은행',
    title: '본인 확인',
    lead: '보내 드린 인증 코드를 입력해 주세요.',
    shop: '이용 가맹점',
    amount: '이용 금액',
    card: '카드',
    code: '인증 코드',
    sandbox: '샌드박스입니다. 코드는 123456입니다.',
    confirm: '확인',
    cancel: '취소',
    empty: '인증 코드를 입력해 주세요.',
    wrong: (left) => `코드가 올바르지 않습니다. ${left}번 더 입력하실 수 있습니다.`,
    notAccepted: '이 카드로는 코드를 받을 수 없습니다. 취소를 눌러 돌아가 주세요.',
    stillChecking: '확인하고 있습니다. 잠시 기다려 주세요.',
    appTitle: '앱에서 승인해 주세요',
    appLead: '견본은행 앱을 열어 이 결제를 승인해 주세요. 승인되면 자동으로 진행됩니다.',
    appOpen: '앱 열기',
    appSandbox: '샌드박스입니다. 잠시 후 자동으로 승인됩니다.',
    leaving: '가맹점으로 돌아갑니다',
    goOn: '계속',
    endedTitle: '확인이 종료되었습니다',
    ended: '이 화면에서 하실 일은 없습니다. 가맹점 화면으로 돌아가 주세요.',
  },
  'zh-Hans': {
    bank: '样本银行',
    title: '身份验证',
    lead: '请输入我们发送给您的验证码。',
    shop: '商户',
    amount: '金额',
    card: '银行卡',
    code: '验证码',
    sandbox: '这是沙盒环境，验证码为 123456。',
    confirm: '确认',
    cancel: '取消',
    empty: '请输入验证码。',
    wrong: (left) => `验证码不正确，您还可以输入 ${left} 次。`,
    notAccepted: '此卡无法接受验证码，请选择“取消”返回。',
    stillChecking: '正在验证，请稍候。',
    appTitle: '请在应用中批准',
    appLead: '请打开样本银行应用并批准此次付款，批准后页面会自动继续。',
    appOpen: '打开应用',
    appSandbox: '这是沙盒环境，稍后会自动批准。',
    leaving: '正在返回商户',
    goOn: '继续',
    endedTitle: '验证已结束',
    ended: '此页面已无需操作，请返回商户页面。',
  },
  'zh-Hant': {
    bank: '樣本銀行',
    title: '身分驗證',
    lead: '請輸入我們傳送給您的驗證碼。',
    shop: '商店',
    amount: '金額',
    card: '卡片',
    code: '驗證碼',
    sandbox: '這是沙盒環境，驗證碼為 123456。',
    confirm: '確認',
    cancel: '取消',
    empty: '請輸入驗證碼。',
    wrong: (left) => `驗證碼不正確，您還可以輸入 ${left} 次。`,
    notAccepted: '此卡片無法接受驗證碼，請選擇「取消」返回。',
    stillChecking: '正在驗證，請稍候。',
    appTitle: '請在應用程式中核准',
    appLead: '請開啟樣本銀行應用程式並核准此筆付款，核准後頁面會自動繼續。',
    appOpen: '開啟應用程式',
    appSandbox: '這是沙盒環境，稍後會自動核准。',
    leaving: '正在返回商店',
    goOn: '繼續',
    endedTitle: '驗證已結束',
    ended: '此頁面已無需操作，請返回商店頁面。',
  },
  th: {
    bank: 'ธนาคารตัวอย่าง',
    title: 'ยืนยันตัวตน',
    lead: 'กรุณากรอกรหัสยืนยันที่เราส่งให้คุณ',
    shop: 'ร้านค้า',
    amount: 'จำนวนเงิน',
    card: 'บัตร',
    code: 'รหัสยืนยัน',
    sandbox: 'นี่คือระบบทดสอบ รหัสคือ 123456',
    confirm: 'ยืนยัน',
    cancel: 'ยกเลิก',
    empty: 'กรุณากรอกรหัสยืนยัน',
    wrong: (left) => `รหัสไม่ถูกต้อง คุณกรอกได้อีก ${left} ครั้ง`,
    notAccepted: 'บัตรนี้ไม่สามารถรับรหัสได้ กรุณาเลือกยกเลิกเพื่อย้อนกลับ',
    stillChecking: 'กำลังตรวจสอบ กรุณารอสักครู่',
    appTitle: 'กรุณาอนุมัติในแอป',
    appLead: 'เปิดแอปธนาคารตัวอย่างแล้วอนุมัติการซื้อนี้ จากนั้นหน้านี้จะดำเนินการต่อเอง',
    appOpen: 'เปิดแอป',
    appSandbox: 'นี่คือระบบทดสอบ รายการจะได้รับการอนุมัติเองในอีกสักครู่',
    leaving: 'กำลังกลับไปที่ร้านค้า',
    goOn: 'ดำเนินการต่อ',
    endedTitle: 'การยืนยันสิ้นสุดแล้ว',
    ended: 'ไม่มีสิ่งที่ต้องทำในหน้านี้แล้ว กรุณากลับไปที่หน้าของร้านค้า',
  },
}

/** Language of a tag that the protocol may have cut off after eight characters. */
const languageOf = (tag: string): BankLanguage | undefined => {
  const parts = tag.trim().toLowerCase().split(/[-_]/)
  if (parts[0] === 'zh') return ['hant', 'tw', 'hk', 'mo'].some((part) => parts.includes(part)) ? 'zh-Hant' : 'zh-Hans'
  return BANK_LANGUAGES.find((language) => language === parts[0])
}

/** The browser's language as the requestor sent it, else what the browser's request accepts, else English. */
export const chooseLanguage = (browserLanguage: string, acceptLanguage: string): BankLanguage => {
  const accepted = acceptLanguage.split(',').map((item) => item.split(';')[0] ?? '')
  for (const tag of [browserLanguage, ...accepted]) {
    const language = languageOf(tag)
    if (language !== undefined) return language
  }
  return 'en'
}
