import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { SCREENS } from '#contract/screens.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import type { PageCheckout } from './parse-answers.ts'
import type { PageRoute } from './parse-path.ts'
import { documentTitle } from './document-title.ts'
import { words as english } from './words/en-US.ts'
import { loadWords } from './words/load-words.ts'

const AMOUNT = 7_654_321

const checkout = (status: string): PageCheckout => ({
  id: 'c',
  status,
  amount: AMOUNT,
  subject: 'A subject',
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: ['visa'],
  links: {},
  transactionId: 'txn_1',
  merchant: { setting: { colorCode: '#29abe9', fontType: 'sans-serif' } },
  receipt: { shopName: 'Kissaten Aoi', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl: '' },
  paymentPending: false,
})

const checkoutRoute = (screen: (typeof SCREENS)[number] | 'root'): PageRoute => ({
  kind: 'checkout',
  checkoutId: 'c',
  screen,
})

const STATUSES = ['open', 'paid', 'refunded', 'failed', 'cancelled', 'expired', 'unknown']

test('a title names the shop and never the amount, the subject or the card, in every language', async () => {
  for (const locale of PAGE_LOCALES) {
    const words = await loadWords(locale)
    for (const status of STATUSES) {
      for (const screen of ['root', ...SCREENS] as const) {
        const title = documentTitle(checkoutRoute(screen), checkout(status), words)
        assert.ok(title.includes('Kissaten Aoi'), `${locale}: ${title}`)
        for (const secret of [String(AMOUNT), withThousandsSeparators(AMOUNT), '¥', 'A subject', 'txn_1']) {
          assert.ok(!title.includes(secret), `${locale} ${status} ${screen}: ${title}`)
        }
      }
    }
  }
})

test('each screen has its own title, and a refund is not called a receipt', () => {
  assert.equal(documentTitle(checkoutRoute('creditcard'), checkout('open'), english), 'Payment to Kissaten Aoi')
  assert.equal(documentTitle(checkoutRoute('root'), checkout('open'), english), 'Payment to Kissaten Aoi')
  assert.equal(documentTitle(checkoutRoute('complete'), checkout('paid'), english), 'Receipt from Kissaten Aoi')
  assert.equal(documentTitle(checkoutRoute('complete'), checkout('refunded'), english), 'Refund from Kissaten Aoi')
  assert.equal(documentTitle(checkoutRoute('error'), checkout('expired'), english), 'Invoice from Kissaten Aoi')
})

test('without a checkout the title names no shop', () => {
  assert.equal(documentTitle(checkoutRoute('creditcard'), null, english), 'Payment')
  assert.equal(documentTitle({ kind: 'not-found' }, null, english), 'Page not found')
  assert.equal(documentTitle({ kind: 'server-error' }, null, english), 'Server error')
  assert.equal(documentTitle({ kind: 'not-found' }, checkout('open'), english), 'Page not found')
})
