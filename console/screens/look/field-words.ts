/** Words of the fields of the look screen. */
import type { NotificationTopic } from '#contract/notification-settings.ts'
import type { WordsOf } from '../../words/language.tsx'
import type { SettingName } from './draft.ts'

interface FieldWords {
  readonly groups: Readonly<
    Record<'look' | 'shop' | 'cards' | 'language' | 'invoice' | 'notifications' | 'links', string>
  >
  readonly fields: Readonly<Record<SettingName, string>>
  readonly hints: Readonly<Partial<Record<SettingName, string>>>
  /** What to enter instead, where a field was refused. */
  readonly problems: Readonly<Record<SettingName, string>>
  readonly fonts: Readonly<Record<'serif' | 'sans-serif', string>>
  readonly pickColour: string
  readonly browserLanguage: string
  readonly allBrands: string
  readonly notificationAddress: string
  readonly notificationAddressHint: string
  readonly notificationLanguage: string
  readonly notificationLanguageOfShop: string
  readonly topics: Readonly<Record<NotificationTopic, string>>
  readonly topicChoices: Readonly<Record<'default' | 'on' | 'off', string>>
  readonly topicDefault: string
}

export const fieldWords: WordsOf<FieldWords> = {
  ja: {
    groups: {
      look: '見た目',
      shop: 'ショップ情報',
      cards: 'カードと本人認証（3Dセキュア）',
      language: '言語',
      invoice: 'インボイス',
      notifications: 'メール通知',
      links: '戻り先のホスト',
    },
    fields: {
      shopName: 'ショップ名',
      shopAddress: '住所',
      shopPhoneNumber: '電話番号',
      shopEmail: 'お問い合わせ用メールアドレス',
      shopUrl: 'ショップのURL',
      colorCode: 'テーマカラー',
      fontType: '書体',
      locale: '決済ページの言語',
      acceptedCardBrands: '受け付けるカードブランド',
      allowExemption: '3Dセキュアに対応していないカードも受け付ける',
      requireFullAuthentication: '本人認証が完了したカードだけを受け付ける',
      linkHosts: '本番のリンクから戻れるホスト',
      registrationNumber: '登録番号',
      notifications: 'メール通知',
    },
    hints: {
      shopName: '決済ページ、領収書、インボイスに表示されます。',
      colorCode: '上部の帯とボタンの色です。文字は自動で読みやすい色になります。',
      locale: '言語を指定せずに作成したリンクに使われます。',
      acceptedCardBrands: 'ブランドを指定せずに作成したリンクに使われます。',
      allowExemption: 'この場合、チャージバックはショップの負担になります。',
      requireFullAuthentication:
        '認証を試みただけで完了していない決済を断ります。決済できないお客様が増えることがあります。',
      linkHosts: '1行に1つ、shop.example.com のように入力します。支払い後やキャンセル後にお客様が戻る先です。',
      registrationNumber: '適格請求書発行事業者の場合に、Tと13桁の数字を入力します。領収書が適格簡易請求書になります。',
    },
    problems: {
      shopName: '1〜100文字で入力してください。カード番号は入力できません。',
      shopAddress: '200文字以内の1行で入力してください。',
      shopPhoneNumber: '数字を含む50文字以内で入力してください。',
      shopEmail: 'shop@example.com のような形式で入力してください。',
      shopUrl: 'https:// で始まるURLを入力してください。',
      colorCode: '#29abe9 のように、#と6桁の英数字で入力してください。',
      fontType: '選択してください。',
      locale: '選択してください。',
      acceptedCardBrands: '1つ以上選択してください。',
      allowExemption: '選択してください。',
      requireFullAuthentication: '選択してください。',
      linkHosts: 'shop.example.com のように、https:// やパスを付けずに20件まで入力してください。',
      registrationNumber: 'Tと13桁の数字を入力してください。例: T1234567890123',
      notifications: 'メールアドレスを確認してください。',
    },
    fonts: { 'sans-serif': 'ゴシック体', serif: '明朝体' },
    pickColour: '色を選ぶ',
    browserLanguage: 'お客様のブラウザーの言語',
    allBrands: 'すべてのブランド',
    notificationAddress: '送信先',
    notificationAddressHint:
      '空欄の場合は、お問い合わせ用メールアドレスに送ります。新しいアドレスには、確認のメールが届きます。',
    notificationLanguage: '通知の言語',
    notificationLanguageOfShop: '決済ページの言語と同じ',
    topics: { paid: '支払いがあったとき', refunded: '返金したとき', needsAttention: '確認が必要なとき' },
    topicChoices: { default: '自動', on: '送る', off: '送らない' },
    topicDefault: '「自動」では、Webhookを使っていない場合にだけ送ります。',
  },
  'en-US': {
    groups: {
      look: 'Appearance',
      shop: 'Shop',
      cards: 'Cards and 3-D Secure',
      language: 'Language',
      invoice: 'Invoices',
      notifications: 'Notifications by mail',
      links: 'Hosts of links',
    },
    fields: {
      shopName: 'Name of the shop',
      shopAddress: 'Address',
      shopPhoneNumber: 'Telephone',
      shopEmail: 'E-mail for shoppers',
      shopUrl: 'Website',
      colorCode: 'Colour',
      fontType: 'Typeface',
      locale: 'Language of the payment page',
      acceptedCardBrands: 'Accepted card brands',
      allowExemption: 'Accept cards outside 3-D Secure',
      requireFullAuthentication: 'Accept fully authenticated cards alone',
      linkHosts: 'Hosts that live links may lead back to',
      registrationNumber: 'Registration number',
      notifications: 'Notifications by mail',
    },
    hints: {
      shopName: 'On the payment page, on receipts and on invoices.',
      colorCode: 'Of the cover and the button. Texts on it are made readable.',
      locale: 'Of new links that name no language.',
      acceptedCardBrands: 'Of new links that name no brands.',
      allowExemption: 'The shop then bears the chargebacks.',
      requireFullAuthentication:
        'A payment whose authentication was only attempted is refused. More shoppers may fail to pay.',
      linkHosts: 'One on each line, such as shop.example.com. Shoppers are sent there after paying or cancelling.',
      registrationNumber:
        'T and 13 digits, if you issue qualified invoices in Japan. Receipts become simplified invoices.',
    },
    problems: {
      shopName: 'Enter 1 to 100 characters, without a card number.',
      shopAddress: 'Enter one line of at most 200 characters.',
      shopPhoneNumber: 'Enter a telephone number of at most 50 characters.',
      shopEmail: 'Enter an address such as shop@example.com.',
      shopUrl: 'Enter an address that begins with https://.',
      colorCode: 'Enter # and six digits of 0 to 9 and a to f, such as #29abe9.',
      fontType: 'Choose one.',
      locale: 'Choose one.',
      acceptedCardBrands: 'Choose at least one brand.',
      allowExemption: 'Choose one.',
      requireFullAuthentication: 'Choose one.',
      linkHosts: 'Enter at most 20 hosts such as shop.example.com, without https:// and path.',
      registrationNumber: 'Enter T and 13 digits, such as T1234567890123.',
      notifications: 'Check the e-mail address.',
    },
    fonts: { 'sans-serif': 'Sans serif', serif: 'Serif' },
    pickColour: 'Pick a colour',
    browserLanguage: 'That of the shopper’s browser',
    allBrands: 'All brands',
    notificationAddress: 'Sent to',
    notificationAddressHint: 'Left empty: the e-mail for shoppers. A new address is asked by mail to confirm.',
    notificationLanguage: 'Language of the mails',
    notificationLanguageOfShop: 'That of the payment page',
    topics: { paid: 'For each payment', refunded: 'For each refund', needsAttention: 'When a person is needed' },
    topicChoices: { default: 'Automatic', on: 'Send', off: 'Do not send' },
    topicDefault: 'Automatic: sent unless a webhook is in use.',
  },
}
