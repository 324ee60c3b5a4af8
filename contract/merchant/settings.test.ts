import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { CARD_BRANDS } from '../brands.ts'
import { WIRE_LOCALES } from '../locale.ts'
import { ChangeSettingsBody, SettingsAnswer, SHOP_FACT_MAX } from './settings.ts'
import { DEFAULT_NOTIFICATIONS, NOTIFICATION_TOPICS } from '../notification-settings.ts'

const takes = (body: unknown): boolean => Check(ChangeSettingsBody, body)

const assertTakes = (field: string, values: readonly unknown[]): void => {
  for (const value of values) assert.equal(takes({ [field]: value }), true, `${field} ${JSON.stringify(value)}`)
}
const assertRefuses = (field: string, values: readonly unknown[]): void => {
  for (const value of values) assert.equal(takes({ [field]: value }), false, `${field} ${JSON.stringify(value)}`)
}

const ANSWER = {
  label: 'tea',
  shopName: 'Tea',
  shopAddress: null,
  shopPhoneNumber: null,
  shopEmail: null,
  shopUrl: null,
  colorCode: '#29abe9',
  fontType: 'serif',
  locale: null,
  acceptedCardBrands: null,
  allowExemption: false,
  requireFullAuthentication: false,
  linkHosts: [],
  registrationNumber: null,
  notifications: DEFAULT_NOTIFICATIONS,
  logo: null,
  logoPlate: null,
  cover: { url: 'https://tea.example.com/pictures/a.png', contentType: 'image/png', width: 1, height: 1 },
}

test('the facts of a shop have their length at most, and only the name cannot be removed', () => {
  assert.deepEqual(SHOP_FACT_MAX, {
    shopName: 100,
    shopAddress: 200,
    shopPhoneNumber: 50,
    shopEmail: 254,
    shopUrl: 2000,
  })
  for (const [field, most] of Object.entries(SHOP_FACT_MAX)) {
    assertTakes(field, ['x', 'x'.repeat(most), '茶'.repeat(most), '\u{20bb7}'.repeat(most)])
    assertRefuses(field, ['', 'x'.repeat(most + 1), 1, true, [], {}])
    if (field === 'shopName') assertRefuses(field, [null])
    else assertTakes(field, [null])
  }
})

test('a colour is six hexadecimal digits and a font one of two; neither can be removed', () => {
  assertTakes('colorCode', ['#000000', '#ffffff', '#29ABE9'])
  assertRefuses('colorCode', ['#fff', '29abe9', '#29abe', '#29abe90', '#29abeg', 'red', '#29abe9\n', null])
  assertTakes('fontType', ['serif', 'sans-serif'])
  assertRefuses('fontType', ['monospace', 'Serif', '', null])
})

test('new checkouts can be given a locale and brands, or none', () => {
  assertTakes('locale', [...WIRE_LOCALES, null])
  assertRefuses('locale', ['ja', 'ja-JP', 'fr_FR', ''])
  assertTakes('acceptedCardBrands', [['visa'], [...CARD_BRANDS], null])
  assertRefuses('acceptedCardBrands', [[], ['visa', 'visa'], ['VISA'], ['unionpay'], [...CARD_BRANDS, 'visa'], 'visa'])
})

test('a policy is true or false, a number of an issuer is T and 13 digits or null', () => {
  for (const field of ['allowExemption', 'requireFullAuthentication']) {
    assertTakes(field, [true, false])
    assertRefuses(field, [null, 'true', 0, 1])
  }
  assertTakes('registrationNumber', ['T1234567890123', 'T0000000000000', null])
  assertRefuses('registrationNumber', ['T123456789012', 'T12345678901234', '1234567890123', 't1234567890123', '', 'T'])
})

test('up to 20 hosts of up to 253 characters can be registered', () => {
  const hosts = (count: number): string[] => Array.from({ length: count }, (_, place) => `shop${place}.example.com`)
  assertTakes('linkHosts', [[], hosts(1), hosts(20), ['x'.repeat(253)]])
  assertRefuses('linkHosts', [hosts(21), ['x'.repeat(254)], [''], [null], null, 'shop.example.com'])
})

test('of mails to the shop each field is changed by itself: an address of 1 to 254 characters, a language, and what it is told of', () => {
  assertTakes('notifications', [{}, ...WIRE_LOCALES.map((locale) => ({ locale })), { locale: null }])
  for (const topic of NOTIFICATION_TOPICS)
    assertTakes(
      'notifications',
      [true, false, null].map((value) => ({ [topic]: value })),
    )
  assertTakes('notifications', [{ address: 'x' }, { address: 'x'.repeat(254) }, { address: null }])
  assertRefuses('notifications', [null, true, [], { address: '' }, { address: 'x'.repeat(255) }, { locale: 'fr_FR' }])
  assertRefuses('notifications', [{ paid: 'yes' }, { paid: 1 }, { surprise: true }])
})

test('what cannot be changed here, or is not known, is refused', () => {
  assert.equal(takes({}), true)
  for (const field of ['label', 'logo', 'cover', 'logoUrl', 'surprise']) assertRefuses(field, [null, 'x', {}])
  for (const body of [null, [], 'x', 1]) assert.equal(takes(body), false)
})

test('the answer holds every field, and of a picture at least its address', () => {
  assert.equal(Check(SettingsAnswer, ANSWER), true)
  for (const field of Object.keys(ANSWER)) {
    const { [field]: _missing, ...others } = ANSWER as Record<string, unknown>
    assert.equal(Check(SettingsAnswer, others), false, field)
  }
  assert.equal(Check(SettingsAnswer, { ...ANSWER, surprise: 1 }), false)
  const longer = 'x'.repeat(3000)
  const facts = { shopName: longer, shopAddress: longer, shopPhoneNumber: longer, shopEmail: longer, shopUrl: longer }
  assert.equal(Check(SettingsAnswer, { ...ANSWER, ...facts }), true, 'of an earlier release')
  assert.equal(Check(SettingsAnswer, { ...ANSWER, logo: { url: '/demo/logo.png' } }), true)
  assert.equal(Check(SettingsAnswer, { ...ANSWER, logo: {} }), false)
})
