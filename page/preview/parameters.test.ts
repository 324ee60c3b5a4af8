import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import lz from 'lz-string'
import type { InvoiceFacts } from '#contract/invoice.ts'
import { jstText } from '#contract/jst.ts'
import { previewAddress, PREVIEW_QUERY_MAX, type PreviewedPage } from '#contract/preview-address.ts'
import { parseCheckoutAnswer } from '../parse-answers.ts'
import { words } from '../words/en-US.ts'
import { parsePreviewQuery } from './parameters.ts'

/** 15 November 2026, 05:00 in Japan: there it is a day later than in UTC. */
const NOW = Date.parse('2026-11-14T20:00:00Z')

const FACTS = { now: NOW, preview: { origin: 'http://tea.localhost:3000', visitorLocale: 'ja' } } as const

const read = (search: string) => parsePreviewQuery(search, FACTS, words.preview)
const given = (name: string, value: string) => read(`?${new URLSearchParams({ [name]: value })}`)
const compress = (text: string): string => lz.compressToEncodedURIComponent(text)

test('a preview without a query has every default and nothing that was not asked for', () => {
  const bare = {
    id: 'preview',
    status: 'open',
    amount: 1980,
    validUntil: '2026-11-22T14:59:59.999Z',
    acceptedCardBrands: ['visa', 'master'],
    links: {},
    merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
    receipt: {
      shopName: words.preview.shopName,
      shopAddress: words.preview.shopAddress,
      shopPhoneNumber: '03-0000-0000',
      shopEmail: 'shop@example.com',
      shopUrl: 'https://example.com',
    },
    paymentPending: false,
  }
  for (const search of ['', '?', 'unknown=1', '?subject=&remarks=&shopName=&brands=&amount=&logoUrl=']) {
    assert.deepEqual(read(search), bare, search)
  }
  assert.deepEqual(parseCheckoutAnswer(bare), bare)
})

const cases = (name: string, right: Record<string, unknown>, pick: (checkout: ReturnType<typeof read>) => unknown) => {
  for (const [value, expected] of Object.entries(right)) {
    test(`${name}=${value.slice(0, 60)} is previewed as ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(pick(given(name, value)), expected)
    })
  }
}

const DEFAULT_COLOUR = '#29abe9'
cases(
  'colorCode',
  {
    '#2F6B4F': '#2f6b4f',
    '2f6b4f': '#2f6b4f',
    ' #000000 ': '#000000',
    '#fff': DEFAULT_COLOUR,
    '#2f6b4f0': DEFAULT_COLOUR,
    '##2f6b4f': DEFAULT_COLOUR,
    '#2f6b4g': DEFAULT_COLOUR,
    red: DEFAULT_COLOUR,
    '#2f6b4f;}body{display:none': DEFAULT_COLOUR,
  },
  ({ merchant }) => merchant.setting.colorCode,
)

cases(
  'amount',
  {
    '1': 1,
    '9999999': 9_999_999,
    ' 500 ': 500,
    '1e3': 1000,
    '0': 0,
    '10000000': 10_000_000,
    '-5': -5,
    '1.5': 1,
    '': 1980,
    '1,980': 1980,
    '５００': 1980,
    NaN: 1980,
    Infinity: 1980,
    'twelve yen': 1980,
  },
  ({ amount }) => amount,
)

cases(
  'validUntil',
  {
    '2026-12-24': '2026-12-24T14:59:59.999Z',
    '2026-12-24T10:00:00+09:00': '2026-12-24T01:00:00.000Z',
    '2026-12-24T10:00Z': '2026-12-24T10:00:00.000Z',
    '2000-01-01': '2000-01-01T14:59:59.999Z',
    '2026-02-30': '2026-11-22T14:59:59.999Z',
    '2026-12-24T10:00': '2026-11-22T14:59:59.999Z',
    tomorrow: '2026-11-22T14:59:59.999Z',
  },
  ({ validUntil }) => validUntil,
)

test('a deadline is the same whether the + of its offset was encoded or arrives as a space', () => {
  assert.equal(read('validUntil=2026-12-24T10:00:00+09:00').validUntil, '2026-12-24T01:00:00.000Z')
})

test('the farthest deadlines that can be written are shown', () => {
  for (const text of ['9999-12-31', '9999-12-31T23:59-23:59', '0000-01-01T00:00+23:59']) {
    assert.match(jstText(Date.parse(given('validUntil', text).validUntil), 'en-US'), /^[A-Z][a-z]{2} \d+, -?\d+, /)
  }
})

cases(
  'fontType',
  { serif: 'serif', 'sans-serif': 'sans-serif', Serif: 'sans-serif', fantasy: 'sans-serif' },
  ({ merchant }) => merchant.setting.fontType,
)

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAP+++wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=='
const images = {
  'https://shop.example/a b.png': 'https://shop.example/a%20b.png',
  'HTTPS://shop.example/logo.png': 'https://shop.example/logo.png',
  'http://shop.example/logo.png': undefined,
  'http://tea.localhost:3000/demo/logo.png': 'http://tea.localhost:3000/demo/logo.png',
  'http://tea.localhost:3001/demo/logo.png': undefined,
  'http://books.localhost:3000/demo/logo.png': undefined,
  'http://tea.localhost:3000@shop.example/logo.png': undefined,
  'ftp://tea.localhost:3000/logo.png': undefined,
  [PIXEL]: PIXEL,
  'data:image/svg+xml;charset=utf-8,<svg xmlns="x"/>': 'data:image/svg+xml;charset=utf-8,<svg xmlns="x"/>',
  'javascript:alert(1)': undefined,
  'JavaScript://shop.example/%0Aalert(1)': undefined,
  ' javascript:alert(1)': undefined,
  'java\tscript:alert(1)': undefined,
  'data:text/html,<script>alert(1)</script>': undefined,
  'data:image/png': undefined,
  'blob:https://shop.example/1': undefined,
  'file:///etc/passwd': undefined,
  '//shop.example/logo.png': undefined,
  '/logo.png': undefined,
  'https://': undefined,
}
cases('logoUrl', images, ({ merchant }) => merchant.setting.logoUrl)
cases('coverImageUrl', images, ({ merchant }) => merchant.setting.coverImageUrl)

test('an inline image is the same whether the + of its data was encoded or arrives as a space', () => {
  assert.equal(read(`logoUrl=${PIXEL}`).merchant.setting.logoUrl, PIXEL)
  assert.match(read('logoUrl=data:image/svg+xml,%3Csvg/%3E').merchant.setting.logoUrl ?? '', /^data:image\/svg\+xml,/)
})

const LONG_NAME = 'x'.repeat(40)
cases(
  'brands',
  {
    'jcb,visa': ['visa', 'jcb'],
    'DISCOVER, Diners ,amex,jcb,master,visa': ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'],
    'unionpay,visa,visa,jcb,alpha': ['visa', 'jcb', 'unionpay', 'alpha'],
    ',,': ['visa', 'master'],
    constructor: ['constructor'],
    [LONG_NAME]: ['x'.repeat(32)],
  },
  ({ acceptedCardBrands }) => acceptedCardBrands,
)

test('twelve brands are shown at most, the known ones among them', () => {
  const many = Array.from({ length: 20 }, (_, index) => `brand${index}`)
  const brands = given('brands', [...many, 'discover', 'visa'].join(',')).acceptedCardBrands
  assert.deepEqual(brands, ['visa', 'discover', ...many.slice(0, 10)])
})

const TEXTS = { subject: 200, remarks: 2000, shopName: 100 } as const
const textOf = (name: keyof typeof TEXTS, search: string): string | undefined => {
  const checkout = read(search)
  return name === 'shopName' ? checkout.receipt.shopName : checkout[name]
}

for (const name of ['subject', 'remarks', 'shopName'] as const) {
  const most = TEXTS[name]
  test(`${name} is decompressed if it was compressed, with its + encoded or bare`, () => {
    for (const text of ['a', 'Order 42', '青山茶舗 Aoyama Tea', 'ギフト包装\n承りました。']) {
      assert.equal(textOf(name, `${name}=${compress(text)}`), text)
      assert.equal(textOf(name, `${name}=${encodeURIComponent(compress(text))}`), text)
    }
  })

  test(`${name} is shown up to the ${most} characters that a checkout may have, compressed or not`, () => {
    for (const character of ['x', '茶', '🍵', "'"])
      for (const [length, shown] of [
        [most - 1, most - 1],
        [most, most],
        [most + 1, most],
        [16_384, most],
      ] as const) {
        const text = character.repeat(length)
        assert.equal(textOf(name, `${name}=${compress(text)}`), character.repeat(shown))
        assert.equal(textOf(name, `${name}=${encodeURIComponent(text)}`), character.repeat(shown))
      }
    // A half of a character that is cut in two would be drawn otherwise by the browser.
    const uneven = `x${'🍵'.repeat(most)}`
    assert.equal(textOf(name, `${name}=${compress(uneven)}`), `x${'🍵'.repeat(most - 1)}`)
  })

  test(`${name} that was not compressed is used as it is`, () => {
    for (const text of ['Order 42', 'Book', 'INV-2026', '山霧', 'a+b', 'Q', '100%25', '$$$', '<b>&amp;</b>'])
      assert.equal(textOf(name, `${name}=${encodeURIComponent(text)}`), text)
    assert.equal(textOf(name, `${name}=Order+42`), 'Order 42')
  })

  test(`${name} that decompresses to forbidden characters is used as it is`, () => {
    for (const text of ['\0', 'bell \u0007', '\ud800', 'half \udc00 character', '\uffff', '\u0085']) {
      const compressed = compress(text)
      assert.equal(lz.decompressFromEncodedURIComponent(compressed), text)
      assert.equal(textOf(name, `${name}=${encodeURIComponent(compressed)}`), compressed)
    }
  })
}

test('control characters, which HTML drops or rewrites, are taken out of plain texts', () => {
  assert.equal(read('subject=a%00b%1Fc%7Fd%C2%9Fe').subject, 'abcde')
  assert.equal(read('remarks=%20one%0D%0Atwo%0Dthree%09four%20').remarks, 'one\ntwo\nthree\tfour')
  assert.equal(read('subject=%00%01').subject, undefined)
  assert.equal(read('shopName=%00').receipt.shopName, words.preview.shopName)
})

test('a compressed text that was cut off is shown as it arrived', () => {
  const compressed = compress('煎茶「山霧」詰め合わせ')
  for (let cut = 1; cut < compressed.length; cut += 1) {
    assert.equal(read(`subject=${encodeURIComponent(compressed.slice(0, cut))}`).subject, compressed.slice(0, cut))
  }
})

const PAYMENT_FACTS = { transactionId: 'txn_0000000000', paidAt: '2026-11-14T20:00:00.000Z' }
const screens: readonly (readonly [search: string, status: string, isPaid: boolean])[] = [
  ['screen=creditcard', 'open', false],
  ['screen=complete', 'paid', true],
  ['screen=refunded', 'refunded', true],
  ['screen=error', 'expired', false],
  ['screen=error&status=failed', 'failed', false],
  ['screen=error&status=cancelled', 'cancelled', false],
  ['screen=error&status=expired', 'expired', false],
  ['screen=error&status=paid', 'expired', false],
  ['screen=complete&status=failed', 'paid', true],
  ['status=failed', 'open', false],
  ['screen=constructor', 'open', false],
  ['screen=Complete', 'open', false],
]
for (const [search, status, isPaid] of screens) {
  test(`?${search} previews a checkout that is ${status}`, () => {
    const checkout = read(`${search}&brands=jcb`)
    assert.equal(checkout.status, status)
    const { transactionId, paidAt, card } = checkout
    if (isPaid)
      assert.deepEqual(
        { transactionId, paidAt, card },
        { ...PAYMENT_FACTS, card: { brand: 'jcb', number: '•••• 4242' } },
      )
    else assert.deepEqual([transactionId, paidAt, card], [undefined, undefined, undefined])
  })
}

test('a preview shows its logo on the plate that it names, and on the light one without such a name', () => {
  const plateOf = (search: string): string | undefined => read(search).merchant.setting.logoPlate
  for (const plate of ['light', 'dark', 'neutral']) assert.equal(plateOf(`logoPlate=${plate}`), plate)
  for (const search of ['', 'logoPlate=', 'logoPlate=Dark', 'logoPlate=toString'])
    assert.equal(plateOf(search), undefined)
})

test('the first of two equal parameters counts', () => {
  assert.equal(read('amount=1&amount=2').amount, 1)
})

test('every compressed text is decompressed, and every other text is kept', () => {
  const written = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    .filter((text) => !/[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(text) && text.trim() === text && text !== '')
  fc.assert(
    fc.property(written, (text) => {
      assert.equal(read(`subject=${compress(text)}`).subject, text)
      const asIs = given('subject', text).subject
      assert.ok(asIs === text || compress(asIs ?? '') === text, text)
    }),
    { numRuns: 3000 },
  )
})

test('a fact of the shop that is given is shown, one that is given empty is not, and another has its placeholder', () => {
  const { receipt } = read(`shopAddress=${compress('東京都港区')}&shopPhoneNumber=&shopUrl=https://tea.example/`)
  assert.deepEqual(receipt, {
    shopName: words.preview.shopName,
    shopAddress: '東京都港区',
    shopPhoneNumber: '',
    shopEmail: 'shop@example.com',
    shopUrl: 'https://tea.example/',
  })
})

const INVOICE = { screen: 'complete', amount: '1980', subject: '茶', registrationNumber: 'T1234567890123' }
const invoiceWith = (more: Readonly<Record<string, string>>): unknown =>
  read(`?${new URLSearchParams({ ...INVOICE, taxes: '8:980,10:1000', ...more })}`).invoice

test('a receipt with a registration number and taxes that add up is previewed as the sample of an invoice of today in Japan', () => {
  const invoice: InvoiceFacts = {
    registrationNumber: 'T1234567890123',
    issuer: words.preview.shopName,
    date: '2026-11-15',
    content: '茶（一部※）',
    totals: [
      { rate: 10, amount: 1000, tax: 90 },
      { rate: 8, amount: 980, tax: 72 },
    ],
    isSample: true,
  }
  assert.deepEqual(invoiceWith({}), invoice)
  const plain: readonly Readonly<Record<string, string>>[] = [
    { screen: 'creditcard' },
    { screen: 'refunded' },
    { subject: '' },
    { registrationNumber: '' },
    { registrationNumber: 'T123' },
    { taxes: '' },
    { taxes: '10:1979' },
    { taxes: '9:1980' },
    { taxes: '10:1980.0' },
    { taxes: '10:660,10:330,10:330,10:660' },
    { amount: '-5', taxes: '10:-5' },
    { amount: '0', taxes: '10:0' },
  ]
  for (const more of plain) assert.equal(invoiceWith(more), undefined, JSON.stringify(more))
})

const PAGE: PreviewedPage = {
  shop: {
    setting: {
      colorCode: '#aa0011',
      fontType: 'serif',
      logoPlate: 'dark',
      logoUrl: '/picture/a',
      coverImageUrl: PIXEL,
    },
    receipt: {
      shopName: 'Q',
      shopAddress: '',
      shopPhoneNumber: '0',
      shopEmail: 'a@b.jp',
      shopUrl: 'https://tea.example/',
    },
    acceptedCardBrands: ['visa', 'jcb'],
    registrationNumber: 'T1234567890123',
  },
  sale: {
    amount: 1980,
    subject: 'Sencha + 1 & more',
    remarks: 'a\nb',
    validUntil: '2026-12-24T10:00:00+09:00',
    links: { cancelUrl: 'https://tea.example/cart?a=1&b=+', redirectUrl: 'https://tea.example/%E8%8C%B6' },
    taxes: [{ rate: 10, amount: 1980 }],
  },
  view: { screen: 'complete', locale: 'ja' },
}
const ORIGIN = FACTS.preview.origin
const readAddress = (page: PreviewedPage) => {
  const address = previewAddress(ORIGIN, page)
  assert.ok(address.startsWith(`${ORIGIN}/preview?`))
  const { search } = new URL(address)
  assert.ok(search.length <= PREVIEW_QUERY_MAX)
  return read(search)
}

test('what an address was made of is what its preview shows', () => {
  const { shop, sale } = PAGE
  const { setting, receipt, acceptedCardBrands } = shop
  const { amount, subject, remarks, links } = sale
  const shown = readAddress(PAGE)
  assert.deepEqual(
    { ...shown, paidAt: undefined, transactionId: undefined, card: undefined, invoice: undefined },
    {
      ...{ id: 'preview', status: 'paid', amount, subject, remarks, links, acceptedCardBrands, receipt },
      validUntil: '2026-12-24T01:00:00.000Z',
      merchant: { setting: { ...setting, logoUrl: `${ORIGIN}/picture/a` } },
      paymentPending: false,
      ...{ paidAt: undefined, transactionId: undefined, card: undefined, invoice: undefined },
    },
  )
  assert.deepEqual(shown.invoice, {
    ...{ registrationNumber: 'T1234567890123', issuer: 'Q', date: '2026-11-15', content: subject, isSample: true },
    totals: [{ rate: 10, amount: 1980, tax: 180 }],
  })
})

test('an address takes the longest texts of a checkout, and leaves out a picture that would make it too long', () => {
  const kanji = (count: number): string =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join('')
  const sale = { ...PAGE.sale, subject: kanji(200), remarks: kanji(2000) }
  const setting = { ...PAGE.shop.setting, coverImageUrl: `data:image/png;base64,${'A'.repeat(12_000)}` }
  const { subject, remarks, merchant, receipt } = readAddress({ ...PAGE, sale, shop: { ...PAGE.shop, setting } })
  assert.deepEqual([subject, remarks, receipt.shopName], [sale.subject, sale.remarks, 'Q'])
  assert.deepEqual([merchant.setting.logoUrl, merchant.setting.coverImageUrl], [`${ORIGIN}/picture/a`, undefined])
})
