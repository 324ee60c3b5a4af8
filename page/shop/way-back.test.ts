import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageCheckout } from '../parse-answers.ts'
import { wayBackUrl } from './way-back.ts'

const SHOP = 'https://shop.example.com/'
const LINKS = { redirectUrl: 'https://shop.example.com/thanks', cancelUrl: 'https://shop.example.com/cart' }

const checkoutWith = (status: string, links: PageCheckout['links'], shopUrl = SHOP): PageCheckout => ({
  id: 'c',
  status,
  amount: 1980,
  validUntil: '2026-11-22T14:59:59.999Z',
  acceptedCardBrands: [],
  links,
  merchant: { setting: { colorCode: '#2f6b4f', fontType: 'sans-serif' } },
  receipt: { shopName: 'Tea', shopAddress: '', shopPhoneNumber: '', shopEmail: '', shopUrl },
  paymentPending: false,
})

test('a shopper who has paid goes on where the merchant says, one who has not goes back where it says', () => {
  assert.equal(wayBackUrl(checkoutWith('paid', LINKS)), LINKS.redirectUrl)
  for (const status of ['cancelled', 'expired', 'failed'])
    assert.equal(wayBackUrl(checkoutWith(status, LINKS)), LINKS.cancelUrl, status)
})

test('a refund, a status that nobody knows and a checkout without links lead to the shop itself', () => {
  assert.equal(wayBackUrl(checkoutWith('refunded', LINKS)), SHOP)
  assert.equal(wayBackUrl(checkoutWith('on_hold', LINKS)), SHOP)
  for (const status of ['paid', 'cancelled', 'expired'])
    assert.equal(wayBackUrl(checkoutWith(status, {})), SHOP, status)
})

test('only a web address is a way back', () => {
  const script = 'javascript:alert(1)'
  assert.equal(wayBackUrl(checkoutWith('paid', { redirectUrl: script })), SHOP)
  assert.equal(wayBackUrl(checkoutWith('paid', { redirectUrl: script }, script)), undefined)
  assert.equal(wayBackUrl(checkoutWith('cancelled', {}, '')), undefined)
})
