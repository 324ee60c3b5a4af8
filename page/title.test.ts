import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE_LOCALES } from '#contract/locale.ts'
import { SCREENS } from '#contract/screens.ts'
import { withThousandsSeparators } from '#contract/yen.ts'
import type { PageCheckout } from './answers.ts'
import type { PageAddressed } from './address.ts'
import { titleOf } from './title.ts'
import { words as english } from './words/en-US.ts'
import { loadWords } from './words/load.ts'

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

const at = (screen: (typeof SCREENS)[number] | 'root'): PageAddressed => ({ at: 'checkout', checkoutId: 'c', screen })

const STATUSES = ['open', 'paid', 'refunded', 'failed', 'cancelled', 'expired', 'unknown']

test('a title names the shop and never the amount, the subject or the card, in every language', async () => {
  for (const locale of PAGE_LOCALES) {
    const words = await loadWords(locale)
    for (const status of STATUSES) {
      for (const screen of ['root', ...SCREENS] as const) {
        const title = titleOf(at(screen), checkout(status), words)
        assert.ok(title.includes('Kissaten Aoi'), `${locale}: ${title}`)
        for (const secret of [String(AMOUNT), withThousandsSeparators(AMOUNT), '¥', 'A subject', 'txn_1']) {
          assert.ok(!title.includes(secret), `${locale} ${status} ${screen}: ${title}`)
        }
      }
    }
  }
})

test('each screen has its own title, and a refund is not called a receipt', () => {
  assert.equal(titleOf(at('creditcard'), checkout('open'), english), 'Payment to Kissaten Aoi')
  assert.equal(titleOf(at('root'), checkout('open'), english), 'Payment to Kissaten Aoi')
  assert.equal(titleOf(at('complete'), checkout('paid'), english), 'Receipt from Kissaten Aoi')
  assert.equal(titleOf(at('complete'), checkout('refunded'), english), 'Refund from Kissaten Aoi')
  assert.equal(titleOf(at('error'), checkout('expired'), english), 'Invoice from Kissaten Aoi')
})

test('where no checkout is known the title names no shop', () => {
  assert.equal(titleOf(at('creditcard'), null, english), 'Payment')
  assert.equal(titleOf({ at: 'not-found' }, null, english), 'Page not found')
  assert.equal(titleOf({ at: 'server-error' }, null, english), 'Server error')
  assert.equal(titleOf({ at: 'not-found' }, checkout('open'), english), 'Page not found')
})
