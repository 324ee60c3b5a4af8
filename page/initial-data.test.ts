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
  drawnPath: '/c/creditcard',
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
  shop: {
    merchant: { setting: { colorCode: '#29abe9', fontType: 'serif' } },
    receipt: { shopName: 'Tea', shopAddress: '', shopPhoneNumber: '03', shopEmail: '', shopUrl: '' },
  },
  preview: { origin: 'https://tea.pay.example', visitorLocale: 'zh-Hant' },
}

const BROWSER = {
  language: 'th-TH',
  path: '/abc',
  search: '',
  now: 1_796_000_000_000,
  origin: 'http://demo.localhost:3000',
}

const DEFAULTS = {
  drawnPath: BROWSER.path,
  checkout: null,
  locale: 'th',
  now: BROWSER.now,
  timeScale: 1,
  threeDS: undefined,
  footer: { aboutUrl: '/', privacyUrl: '/', badgeText: null },
  sendsMail: false,
  release: '',
  shop: null,
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
    footer: { aboutUrl: 7 },
    sendsMail: 'yes',
    release: 1,
    shop: { merchant: { setting: {} }, receipt: {} },
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
