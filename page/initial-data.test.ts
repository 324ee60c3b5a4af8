import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { CheckoutAnswer } from '#contract/checkout.ts'
import type { DocumentData } from '#contract/page.ts'
import { parseInitialData } from './initial-data.ts'

const CHECKOUT: CheckoutAnswer = {
  id: 'c',
  status: 'open',
  amount: 1980,
  subject: '</script><script>alert(1)</script><!--',
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links: {},
  locale: 'ja_JP',
  merchant: { setting: { colorCode: '#29abe9', fontType: 'serif' } },
  receipt: { shopName: 'Shop \u2028\u2029', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  paymentPending: false,
}

const INLINED: DocumentData = {
  place: '/c/creditcard',
  checkout: CHECKOUT,
  locale: 'ko',
  now: 1_795_000_000_000,
  timeScale: 0.1,
  threeDS: {
    messageDomains: ['https://3ds.pay.example', 'https://provider.example:8443'],
    collectLimitMs: 1500,
    challengeLimitMs: 63_000,
    challengeHelpMs: 3000,
  },
  footer: { aboutUrl: 'https://kaikei.example/', privacyUrl: 'https://kaikei.example/privacy', badgeText: 'Certified' },
  sendsMail: true,
  release: 'v1.51.0',
  preview: { origin: 'https://tea.pay.example', visitorLocale: 'zh-Hant' },
}

const BROWSER = {
  language: 'th-TH',
  path: '/abc',
  search: '',
  now: 1_796_000_000_000,
  origin: 'http://demo.localhost:3000',
}

const THREE_DS = {
  messageDomains: ['http://3ds.localhost:3000'],
  collectLimitMs: 15_000,
  challengeLimitMs: 630_000,
  challengeHelpMs: 30_000,
}

const DEFAULTS = {
  place: BROWSER.path,
  checkout: null,
  locale: 'th',
  now: BROWSER.now,
  timeScale: 1,
  threeDS: THREE_DS,
  footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
  sendsMail: false,
  release: '',
  preview: { origin: BROWSER.origin, visitorLocale: 'th' },
}

test('the page starts with what the server inlined into the document, whatever the browser says', () => {
  const browser = { ...BROWSER, search: '?locale=ja' }
  assert.deepEqual(parseInitialData(JSON.stringify(INLINED), browser), INLINED)
})

test('a document without a checkout keeps its language, its footer and its clock', () => {
  const bare = { ...INLINED, checkout: null, footer: { ...INLINED.footer, badgeText: null } }
  assert.deepEqual(parseInitialData(JSON.stringify(bare), BROWSER), bare)
})

test('a subject that holds "</script>" arrives as the shop wrote it, escaped or not', () => {
  const plain = JSON.stringify(INLINED)
  const escaped = plain.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  assert.ok(!escaped.includes('<'))
  assert.deepEqual(parseInitialData(escaped, BROWSER), INLINED)
  assert.deepEqual(parseInitialData(plain, BROWSER), INLINED)
})

test('a document whose data were cut off at "</script>" is loaded like one without data', () => {
  const plain = JSON.stringify(INLINED)
  assert.deepEqual(parseInitialData(plain.slice(0, plain.indexOf('</script>')), BROWSER), DEFAULTS)
})

test('without inlined data, or with broken data, the page starts with the browser’s own facts and no checkout', () => {
  for (const text of [undefined, null, '', '{', '{"checkout":', 'undefined', 'null', '7', '"x"', '[]', '{}']) {
    assert.deepEqual(parseInitialData(text, BROWSER), DEFAULTS, String(text))
  }
})

test('no inlined text makes the page throw, and one that is not ours leaves no checkout', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      assert.equal(parseInitialData(text, BROWSER).checkout, null)
    }),
    { numRuns: 2000 },
  )
})

test('one invalid field is replaced by its default and the others are kept', () => {
  const odd = {
    checkout: { id: 'c' },
    locale: 'tlh',
    now: '1',
    timeScale: null,
    threeDS: { messageDomains: '*', collectLimitMs: '1', challengeLimitMs: null, challengeHelpMs: -1 },
    footer: { aboutUrl: 7 },
    sendsMail: 'yes',
    release: 1,
    preview: { origin: 'https://tea.pay.example/', visitorLocale: 'fr' },
  }
  assert.deepEqual(parseInitialData(JSON.stringify(odd), BROWSER), DEFAULTS)
  for (const [name, wrong] of Object.entries(odd)) {
    const parsed: Readonly<Record<string, unknown>> = {
      ...parseInitialData(JSON.stringify({ ...INLINED, [name]: wrong }), BROWSER),
    }
    assert.deepEqual(parsed, { ...INLINED, [name]: { ...DEFAULTS }[name] }, name)
  }
})

const localeOf = (language: string, search: string): string =>
  parseInitialData(null, { ...BROWSER, language, search }).locale

test('with nothing inlined the language is the one in the query, else the browser’s, else English', () => {
  assert.equal(localeOf('ja-JP', ''), 'ja')
  assert.equal(localeOf('zh-TW', ''), 'zh-Hant')
  assert.equal(localeOf('fr-FR', ''), 'en-US')
  assert.equal(localeOf('', ''), 'en-US')
  assert.equal(localeOf('ja-JP', '?mode=test&locale=ko'), 'ko')
  assert.equal(localeOf('ja-JP', '?locale=zh-Hans'), 'zh-Hans')
  assert.equal(localeOf('ja-JP', '?locale=ko_KR'), 'ja')
  assert.equal(localeOf('ja-JP', '?locale='), 'ja')
})

test('with nothing inlined the visitor’s language is the browser’s, whatever the query asks for', () => {
  const visitorLocaleOf = (language: string): string =>
    parseInitialData(null, { ...BROWSER, language, search: '?locale=ko' }).preview.visitorLocale
  assert.equal(visitorLocaleOf('ja-JP'), 'ja')
  assert.equal(visitorLocaleOf('fr-FR'), 'en-US')
  assert.equal(visitorLocaleOf(''), 'en-US')
})

const factsOf = (threeDS: unknown, origin = BROWSER.origin) =>
  parseInitialData(JSON.stringify({ threeDS }), { ...BROWSER, origin }).threeDS

test('messages are accepted from two origins at most, and only from exact origins', () => {
  const [first, second, third] = ['https://a.example', 'http://b.example:81', 'https://c.example']
  assert.deepEqual(factsOf({ messageDomains: [first, second, third] }).messageDomains, [first, second])
  const none = ['', '*', 'null', 'a.example', 'https://a.example/', 'HTTPS://a.example', 'javascript:1', 7, null]
  assert.deepEqual(factsOf({ messageDomains: [...none, third] }).messageDomains, [third])
  assert.deepEqual(factsOf({ messageDomains: none }).messageDomains, THREE_DS.messageDomains)
  assert.deepEqual(factsOf({ messageDomains: [] }).messageDomains, THREE_DS.messageDomains)
})

test('with nothing inlined the bridge is expected at 3ds beside the merchant’s label, never at a host of somebody else', () => {
  const bridges: Readonly<Record<string, readonly string[]>> = {
    'http://demo.localhost:3000': ['http://3ds.localhost:3000'],
    'http://demo.localhost': ['http://3ds.localhost'],
    'https://demo.pay.example': ['https://3ds.pay.example'],
    'https://demo.pay.shop.example:8443': ['https://3ds.pay.shop.example:8443'],
    'https://demo.com': [],
    'http://localhost:3000': [],
    'http://127.0.0.1:3000': [],
    'http://[::1]:3000': [],
    null: [],
    '': [],
  }
  for (const [origin, bridge] of Object.entries(bridges)) {
    assert.deepEqual(factsOf(undefined, origin).messageDomains, bridge, origin)
  }
})

test('a time limit is more than 0 and at most a day; any other is replaced by its default', () => {
  for (const [given, taken] of [
    [0, 15_000],
    [0.5, 0.5],
    [1, 1],
    [86_400_000, 86_400_000],
    [86_400_001, 15_000],
    [-1, 15_000],
  ] as const) {
    assert.equal(factsOf({ collectLimitMs: given }).collectLimitMs, taken)
  }
})
