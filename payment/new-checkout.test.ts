import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToUnicode } from 'node:url'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import type { AcquirerKind } from './acquirer-limits.ts'
import type { Checkout } from './checkout.ts'
import { newCheckout, refuseShownTexts, type CheckoutSettings, type NewCheckout } from './new-checkout.ts'

const NOW = Date.parse('2026-11-15T12:00:00+09:00')

const SETTINGS: CheckoutSettings = { locale: null, acceptedCardBrands: null, linkHosts: [] }

const GIVEN: NewCheckout = {
  merchantId: 'tea',
  id: 'checkout',
  mode: 'test',
  linkId: null,
  now: NOW,
  settings: SETTINGS,
  acquirer: null,
  unicodeHost: domainToUnicode,
}

const make = (
  body: Partial<CreateCheckoutBody>,
  settings: Partial<CheckoutSettings> = {},
  mode: MerchantMode = 'test',
  acquirer: AcquirerKind | null = null,
): Checkout | Refusal =>
  refuseShownTexts(body) ??
  newCheckout({ amount: 1980, ...body }, { ...GIVEN, mode, settings: { ...SETTINGS, ...settings }, acquirer })

const made = (body: Partial<CreateCheckoutBody>): Checkout => {
  const checkout = make(body)
  if (isRefusal(checkout)) assert.fail(`refused: ${checkout.message}`)
  return checkout
}

const refusedField = (body: Partial<CreateCheckoutBody>): unknown => {
  const refusal = make(body)
  if (!isRefusal(refusal)) assert.fail(`${JSON.stringify(body)} was accepted`)
  assert.equal(refusal.refused, 'invalid_field')
  const field = refusal.params?.['field']
  assert.ok(refusal.message?.startsWith(`${field} `))
  return field
}

const deadlineOf = (validUntil: string): string => new Date(made({ validUntil }).validUntil).toISOString()

test('a checkout with only an amount is open, accepts every brand and ends with the seventh day', () => {
  assert.deepEqual(made({}), {
    merchantId: 'tea',
    id: 'checkout',
    mode: 'test',
    amountYen: 1980,
    subject: null,
    remarks: null,
    validUntil: Date.parse('2026-11-22T23:59:59.999+09:00'),
    acceptedCardBrands: ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'],
    cancelUrl: null,
    redirectUrl: null,
    locale: null,
    metadata: {},
    reference: null,
    taxes: null,
    createdAt: NOW,
    linkId: null,
    heldSince: null,
    state: { status: 'open' },
  })
})

test('a checkout keeps everything its merchant sent', () => {
  const checkout = made({
    subject: '煎茶',
    remarks: 'ご注文\nA-1024',
    acceptedCardBrands: ['jcb'],
    links: { cancelUrl: 'https://shop.example.com/cart', redirectUrl: 'http://localhost:8080/thanks' },
    locale: 'th_TH',
    metadata: { order: 'A-1024' },
  })
  const { subject, remarks, acceptedCardBrands, cancelUrl, redirectUrl, locale, metadata } = checkout
  assert.deepEqual(
    { subject, remarks, acceptedCardBrands, cancelUrl, redirectUrl, locale, metadata },
    {
      subject: '煎茶',
      remarks: 'ご注文\nA-1024',
      acceptedCardBrands: ['jcb'],
      cancelUrl: 'https://shop.example.com/cart',
      redirectUrl: 'http://localhost:8080/thanks',
      locale: 'th_TH',
      metadata: { order: 'A-1024' },
    },
  )
})

test('a deadline given as a date is the end of that day in Japan, and one given as an instant is that instant', () => {
  assert.equal(deadlineOf('2026-11-15'), '2026-11-15T14:59:59.999Z')
  assert.equal(deadlineOf('2026-11-16T10:00:00+09:00'), '2026-11-16T01:00:00.000Z')
  assert.equal(deadlineOf('2026-11-16T10:00Z'), '2026-11-16T10:00:00.000Z')
})

test('a deadline is after now: the next millisecond is taken, this one and yesterday are not', () => {
  assert.equal(deadlineOf(new Date(NOW + 1).toISOString()), new Date(NOW + 1).toISOString())
  assert.equal(refusedField({ validUntil: new Date(NOW).toISOString() }), 'validUntil')
  assert.equal(refusedField({ validUntil: '2026-11-14' }), 'validUntil')
})

test('a deadline is at most the end of the 180th day', () => {
  assert.equal(deadlineOf('2027-05-14'), '2027-05-14T14:59:59.999Z')
  assert.equal(refusedField({ validUntil: '2027-05-15' }), 'validUntil')
  assert.equal(refusedField({ validUntil: '2027-05-15T00:00:00+09:00' }), 'validUntil')
  assert.equal((Date.parse('2027-05-14') - Date.parse('2026-11-15')) / 86_400_000, 180)
})

test('a deadline on a day that does not exist, or that is no date at all, is refused', () => {
  const wrong = ['2027-02-29', '2027-02-30', '2027-13-01', '2026-11-31', '2026-12-00', '2026-11-31T10:00:00Z']
  for (const validUntil of [...wrong, 'tomorrow', '', '2026/12/01', '2026-12-01T10:00', '1796083200000']) {
    assert.equal(refusedField({ validUntil }), 'validUntil')
  }
})

test('a link goes to https, and to plain http only on the merchant’s own machine', () => {
  const own = ['http://localhost/x', 'http://127.0.0.1:8080/', 'http://[::1]:8080/', 'http://shop.localhost:3000/a?b#c']
  for (const link of [...own, 'https://shop.example.com', 'HTTPS://shop.example.com/カート']) {
    const { href } = new URL(link)
    assert.equal(made({ links: { cancelUrl: link } }).cancelUrl, href)
    assert.equal(made({ links: { redirectUrl: link } }).redirectUrl, href)
  }
})

test('a link is stored as the URL parser writes it', () => {
  const stored = (link: string) => made({ links: { redirectUrl: link } }).redirectUrl
  assert.equal(stored('HTTPS://Shop.Example.com:443/a/../b'), 'https://shop.example.com/b')
  assert.equal(stored('https://日本茶.example/お茶'), 'https://xn--wgv71aj92d.example/%E3%81%8A%E8%8C%B6')
})

test('a link to anywhere else is refused by the name of its field', () => {
  const wrong = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://shop.example.com',
    'http://shop.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'https://user@shop.example.com',
    'https://user:password@shop.example.com',
    'https://:password@shop.example.com',
    'https://shop.example.com/\0',
    'https://shop.exam\nple.com/',
    'https://shop.example.com/\tcart',
    '/cart',
    '//shop.example.com',
    'shop.example.com',
    'https://',
    '',
    'https://shор.example',
    `https://${new URL('https://shор.example').hostname}/`,
  ]
  for (const link of wrong) {
    assert.equal(refusedField({ links: { cancelUrl: link } }), 'links.cancelUrl')
    assert.equal(refusedField({ links: { redirectUrl: link } }), 'links.redirectUrl')
  }
})

test('a text that no database can hold is refused by the name of its field', () => {
  assert.equal(refusedField({ subject: 'tea\0' }), 'subject')
  assert.equal(refusedField({ remarks: '\0' }), 'remarks')
})

test('a text that a shopper would not see, or see turned around, is refused where it is written, and opens with an older link', () => {
  const taxes = [{ rate: 10, amount: 1980 }] as const
  for (const subject of ['\u200b', '\u3164 ', '\u2800']) {
    assert.equal(refusedField({ subject, taxes: [...taxes] }), 'subject')
    assert.equal(made({ subject }).subject, subject)
  }
  for (const turning of ['tea \u202eaet', '\u2066茶', 'שלום\u200f']) {
    assert.equal(refusedField({ subject: turning }), 'subject')
    assert.equal(refusedField({ remarks: turning }), 'remarks')
    // Of no page of a shopper.
    assert.equal(made({ reference: turning }).reference, turning)
  }
  for (const subject of ['שלום', 'شاي', '👨\u200d👩\u200d👧 茶']) assert.equal(made({ subject }).subject, subject)
  assert.equal(isRefusal(newCheckout({ amount: 1980, subject: '\u202ex' }, GIVEN)), false)
})

test('a reference is kept, and held to the same rules as other texts', () => {
  assert.equal(made({ reference: 'A-1' }).reference, 'A-1')
  assert.equal(refusedField({ reference: 'a\0b' }), 'reference')
  assert.equal(refusedField({ reference: '4242 4242 4242 4242' }), 'reference')
})

test('{CHECKOUT_ID} in a link becomes the id, wherever and however often it stands', () => {
  const { cancelUrl, redirectUrl } = made({
    links: {
      cancelUrl: 'https://shop.example.com/{CHECKOUT_ID}?again={CHECKOUT_ID}',
      redirectUrl: 'https://shop.example.com/{checkout_id}',
    },
  })
  assert.equal(cancelUrl, 'https://shop.example.com/checkout?again=checkout')
  assert.equal(redirectUrl, 'https://shop.example.com/%7Bcheckout_id%7D')
})

test('with taxes that add up and a subject, a checkout keeps both as they were sent', () => {
  const taxes = [{ rate: 8, amount: 980 } as const, { rate: 10, amount: 1000 } as const]
  assert.deepEqual(made({ subject: '煎茶と急須', taxes }).taxes, taxes)
})

test('taxes that do not add up, or say nothing of what was sold, are refused by the field that is wrong', () => {
  const taxes = [{ rate: 8, amount: 1980 } as const]
  assert.equal(refusedField({ subject: '煎茶', taxes: [{ rate: 8, amount: 1979 }] }), 'taxes')
  assert.equal(refusedField({ subject: '煎茶', taxes: [...taxes, { rate: 8, amount: 0 }] }), 'taxes')
  assert.equal(refusedField({ taxes }), 'subject')
  assert.equal(refusedField({ subject: ' \u3000', taxes }), 'subject')
})

test('a checkout that names no locale and no brands has those of the settings, and its own go before them', () => {
  const settings = { locale: 'th_TH', acceptedCardBrands: ['jcb', 'visa'] } as const
  const defaulted = make({}, settings)
  const own = make({ locale: 'ko_KR', acceptedCardBrands: ['amex'] }, settings)
  if (isRefusal(defaulted) || isRefusal(own)) assert.fail()
  assert.deepEqual([defaulted.locale, defaulted.acceptedCardBrands], ['th_TH', ['jcb', 'visa']])
  assert.deepEqual([own.locale, own.acceptedCardBrands], ['ko_KR', ['amex']])
})

test('a link of a live checkout leads to a registered host, and one of a test checkout anywhere', () => {
  const settings = { linkHosts: ['shop.example.com'] }
  for (const name of ['cancelUrl', 'redirectUrl']) {
    const registered = make({ links: { [name]: 'https://shop.example.com/{CHECKOUT_ID}' } }, settings, 'live')
    if (isRefusal(registered)) assert.fail(registered.message)
    assert.equal(registered.cancelUrl ?? registered.redirectUrl, 'https://shop.example.com/checkout')
    const elsewhere = { links: { [name]: 'https://elsewhere.example.com/' } }
    const refusal = make(elsewhere, settings, 'live')
    assert.ok(isRefusal(refusal))
    assert.equal(refusal.params?.['field'], `links.${name}`)
    assert.match(refusal.message ?? '', /a host that is not registered\. Add the host to linkHosts/)
    assert.ok(!isRefusal(make(elsewhere, settings, 'test')))
  }
  assert.ok(!isRefusal(make({}, {}, 'live')), 'without links none need be registered')
})

test('an amount that the acquirer of the shop does not take is refused at creation, and the refusal names acquirer and limits', () => {
  const amountAt = (amount: number, acquirer: AcquirerKind | null) => make({ amount }, {}, 'live', acquirer)
  const refused = amountAt(49, 'stripe')
  assert.deepEqual(refused, {
    refused: 'invalid_field',
    params: { field: 'amount' },
    message:
      'amount is 49 yen, and Stripe, the acquirer of this shop, takes 50 to 99,999,999 yen. Give an amount between them.',
  })
  for (const [amount, acquirer] of [
    [50, 'stripe'],
    [9_999_999, 'stripe'],
    [1, 'adyen'],
    [1, null],
  ] as const)
    assert.equal(isRefusal(amountAt(amount, acquirer)), false, `${amount} at ${acquirer}`)
})

test('a checkout accepts the brands that its acquirer takes, and one that could be paid with none of them is refused', () => {
  const at = (
    acquirer: AcquirerKind | null,
    body: Partial<CreateCheckoutBody>,
    settings: Partial<CheckoutSettings> = {},
  ) => make(body, settings, 'live', acquirer)
  const brandsOf = (checkout: Checkout | Refusal) =>
    isRefusal(checkout) ? assert.fail(checkout.message) : checkout.acceptedCardBrands
  assert.deepEqual(brandsOf(at('adyen', {})), ['visa', 'master', 'jcb', 'amex', 'diners'])
  assert.deepEqual(brandsOf(at('adyen', { acceptedCardBrands: ['discover', 'jcb'] })), ['jcb'])
  assert.deepEqual(brandsOf(at('stripe', { acceptedCardBrands: ['discover'] })), ['discover'])
  assert.deepEqual(brandsOf(at(null, { acceptedCardBrands: ['discover'] })), ['discover'])
  const message =
    'acceptedCardBrands names no brand that Adyen, the acquirer of this shop, takes. Give one or more of visa, master, jcb, amex, diners.'
  const params = { field: 'acceptedCardBrands' }
  const refusal = { refused: 'invalid_field', params, message }
  assert.deepEqual(at('adyen', { acceptedCardBrands: ['discover'] }), refusal)
  assert.deepEqual(at('adyen', {}, { acceptedCardBrands: ['discover'] }), refusal, 'those of the settings')
})
