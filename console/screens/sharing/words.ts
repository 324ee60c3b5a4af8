/** Words for sharing a link. */
import type { WordsOf } from '../../words/language.tsx'

interface SharingWords {
  readonly title: string
  readonly address: string
  readonly qr: string
  readonly qrLead: string
  readonly copy: string
  readonly mail: string
  readonly line: string
  readonly sheet: string
  readonly print: string
  readonly open: string
  readonly testLead: string
}

export const sharingWords: WordsOf<SharingWords> = {
  ja: {
    title: 'リンクを送る',
    address: 'リンク',
    qr: 'リンクのQRコード',
    qrLead: 'スマートフォンのカメラで読み取ると、お支払いページが開きます。',
    copy: 'リンクをコピー',
    mail: 'メールで送る',
    line: 'LINEで送る',
    sheet: 'その他のアプリ',
    print: '印刷',
    open: 'ページを開く',
    testLead: 'テスト用のリンクです。テストカードだけが使え、実際の請求は発生しません。',
  },
  'en-US': {
    title: 'Share the link',
    address: 'Link',
    qr: 'QR code of the link',
    qrLead: 'A phone’s camera that reads it opens the payment page.',
    copy: 'Copy the link',
    mail: 'Send by mail',
    line: 'Send by LINE',
    sheet: 'Other apps',
    print: 'Print',
    open: 'Open the page',
    testLead: 'This is a test link: it takes test cards alone, and no money moves.',
  },
}
