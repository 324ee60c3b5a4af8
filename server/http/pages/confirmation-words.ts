/** Words of the page on which an address confirms that it wants mails. */
import type { PageLocale } from '#contract/locale.ts'

interface Text {
  readonly title: string
  readonly text: string
}

export interface ConfirmationWords {
  readonly open: Text & { readonly button: string }
  readonly confirmed: Text
  readonly gone: Text
}

export const confirmationWords: Readonly<Record<PageLocale, ConfirmationWords>> = {
  ja: {
    open: {
      title: 'メールアドレスの確認',
      text: '確認すると、テスト決済のメールやショップあてのお知らせを、このメールアドレスにお送りします。お心当たりのない場合は、このページを閉じてください。',
      button: '確認する',
    },
    confirmed: {
      title: '確認が完了しました',
      text: 'メールをお送りできるようになりました。このページは閉じていただいて構いません。',
    },
    gone: {
      title: 'このリンクは無効です',
      text: '有効期限が切れているか、リンクが正しくありません。ショップにお問い合わせください。',
    },
  },
  'en-US': {
    open: {
      title: 'Confirm your email address',
      text: 'Once you confirm, emails about test payments and notices to the shop are sent to your address. If you do not know what this is about, close this page.',
      button: 'Confirm',
    },
    confirmed: { title: 'Your address is confirmed', text: 'Emails can now be sent to it. You may close this page.' },
    gone: { title: 'This link is not valid', text: 'It has expired, or it is not complete. Please contact the shop.' },
  },
  ko: {
    open: {
      title: '이메일 주소 확인',
      text: '확인하시면 테스트 결제 이메일과 상점 안내를 이 주소로 보내 드립니다. 짐작 가는 데가 없으시면 이 페이지를 닫아 주세요.',
      button: '확인',
    },
    confirmed: {
      title: '확인이 완료되었습니다',
      text: '이제 이메일을 보내 드릴 수 있습니다. 이 페이지를 닫으셔도 됩니다.',
    },
    gone: {
      title: '유효하지 않은 링크입니다',
      text: '기한이 지났거나 링크가 올바르지 않습니다. 상점에 문의해 주세요.',
    },
  },
  'zh-Hans': {
    open: {
      title: '确认您的邮箱地址',
      text: '确认后，测试付款的邮件和给商店的通知将发送到此地址。如果您对此并不知情，请关闭此页面。',
      button: '确认',
    },
    confirmed: { title: '已确认', text: '现在可以向此地址发送邮件。您可以关闭此页面。' },
    gone: { title: '此链接无效', text: '链接已过期或不完整。请联系商店。' },
  },
  'zh-Hant': {
    open: {
      title: '確認您的電子郵件地址',
      text: '確認後，測試付款的郵件和給商店的通知將寄送到此地址。如果您不清楚此事，請關閉此頁面。',
      button: '確認',
    },
    confirmed: { title: '已確認', text: '現在可以寄送郵件到此地址。您可以關閉此頁面。' },
    gone: { title: '此連結無效', text: '連結已過期或不完整。請聯絡商店。' },
  },
  th: {
    open: {
      title: 'ยืนยันอีเมลของคุณ',
      text: 'เมื่อยืนยันแล้ว อีเมลเกี่ยวกับการชำระเงินทดสอบและการแจ้งเตือนถึงร้านค้าจะถูกส่งไปยังที่อยู่นี้ หากคุณไม่ทราบเรื่องนี้ โปรดปิดหน้านี้',
      button: 'ยืนยัน',
    },
    confirmed: { title: 'ยืนยันเรียบร้อยแล้ว', text: 'ตอนนี้สามารถส่งอีเมลถึงที่อยู่นี้ได้แล้ว คุณสามารถปิดหน้านี้ได้' },
    gone: { title: 'ลิงก์นี้ใช้ไม่ได้', text: 'ลิงก์หมดอายุหรือไม่สมบูรณ์ โปรดติดต่อร้านค้า' },
  },
}
