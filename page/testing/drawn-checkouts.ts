/** Checkouts that screens are drawn with: an open and a paid one, an invoice of every rate, and texts as long as a shop may write. */
import type { PageCheckout } from '../parse-answers.ts'

export const OPEN_CHECKOUT: PageCheckout = {
  id: 'c',
  status: 'open',
  amount: 4980,
  subject: '煎茶「山霧」詰め合わせ / Sencha gift box',
  validUntil: '2026-12-31T14:59:59Z',
  remarks: 'ご注文番号 A-1024 のお品物です。',
  acceptedCardBrands: ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'],
  links: { cancelUrl: 'https://shop.example.com/cart' },
  merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
  receipt: {
    shopName: '青山茶舗 Aoyama Tea',
    shopAddress: '〒107-0062 東京都港区南青山0-0-0',
    shopPhoneNumber: '03-0000-0000',
    shopEmail: 'shop@aoyama-tea.example',
    shopUrl: 'https://shop.example.com',
  },
  paymentPending: false,
}

export const PAID_CHECKOUT: PageCheckout = {
  ...OPEN_CHECKOUT,
  status: 'paid',
  transactionId: 'txn_5mq3hvlgkz3x7tjx2jn3mcw4ap6tdoeb',
  paidAt: '2026-11-22T03:34:00Z',
  card: { brand: 'visa', number: '•••• 4242' },
}

export const INVOICE = {
  registrationNumber: 'T1234567890123',
  issuer: '青山茶舗株式会社',
  date: '2026-11-22',
  content: '煎茶 100g ほか3点（一部※）',
  totals: [
    { rate: 10, amount: 1000, tax: 90 },
    { rate: 8, amount: 3900, tax: 288 },
    { rate: 0, amount: 80, tax: 0 },
  ],
  isSample: false,
}

export const LONG_TEXTS = {
  amount: 9_999_999,
  subject:
    '煎茶「山霧」と玉露「朝露」の詰め合わせ（ギフト包装・熨斗つき・名入れあり）二〇二六年秋の限定品 / Sencha and gyokuro gift box with wrapping and a hand-written card, autumn 2026',
  remarks:
    'ご注文番号 A-1024 のお品物です。お届けは十二月上旬を予定しております。包装やのしの表書きにご希望がございましたら、お支払いの前にお電話かメールでお知らせください。\nThank you for your order.',
  receipt: {
    ...OPEN_CHECKOUT.receipt,
    shopName: '東京南青山で三代続く日本茶専門店 青山茶舗オンラインストア Aoyama Tea Merchants since 1892',
  },
}
