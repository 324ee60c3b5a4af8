import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToUnicode } from 'node:url'
import { isRefusal } from '#contract/errors.ts'
import { SHOP_FACT_MAX } from '#contract/merchant/settings.ts'
import { readShopFacts, type GivenShopFacts } from './shop-facts.ts'

const read = (given: GivenShopFacts) => readShopFacts(given, domainToUnicode)

const assertRefused = (given: GivenShopFacts, words: RegExp): void => {
  const refusal = read(given)
  if (!isRefusal(refusal)) assert.fail(`${JSON.stringify(given)} was accepted`)
  const [field = ''] = Object.keys(given)
  assert.deepEqual([refusal.refused, refusal.params], ['invalid_field', { field }])
  assert.match(refusal.message ?? '', words)
  assert.ok(refusal.message?.startsWith(`${field} `))
}

test('the facts that are given are kept, the others are left alone, and null removes one', () => {
  const facts = {
    shopName: '青山茶舗 "Tea" <& Co>',
    shopAddress: '〒107-0062 東京都港区南青山0-0-0',
    shopPhoneNumber: '０３－００００－００００',
    shopEmail: 'shop@aoyama-tea.example',
    shopUrl: 'https://aoyama-tea.example/',
  }
  assert.deepEqual(read(facts), facts)
  assert.deepEqual(read({}), {})
  assert.deepEqual(read({ shopName: 'A', shopUrl: undefined }), { shopName: 'A' })
  assert.deepEqual(read({ shopAddress: null, shopPhoneNumber: null, shopEmail: null, shopUrl: null }), {
    shopAddress: '',
    shopPhoneNumber: '',
    shopEmail: '',
    shopUrl: '',
  })
})

test('a text that is empty, too long, of more than one line or holds a card number is refused by its name', () => {
  for (const text of ['', ' ', '\u3000', '\u200b', '\u3164', '\u2800 ']) assertRefused({ shopName: text }, /is empty/)
  for (const [field, most] of [
    ['shopName', SHOP_FACT_MAX.shopName],
    ['shopAddress', SHOP_FACT_MAX.shopAddress],
  ] as const) {
    for (const sign of ['x', '\u{20bb7}']) {
      assert.deepEqual(read({ [field]: sign.repeat(most) }), { [field]: sign.repeat(most) })
      assertRefused({ [field]: sign.repeat(most + 1) }, new RegExp(`has ${most + 1} characters: ${most} are the most`))
    }
    assertRefused({ [field]: 'Tea \u202eaeT' }, /holds U\+202E/)
    for (const text of ['a\nb', 'a\0', '\u0085a']) assertRefused({ [field]: text }, /holds a control character/)
  }
  for (const number of ['4012888888881881', '4012 8888 8888 1881', '４０１２-８８８８-８８８８-１８８１']) {
    assertRefused({ shopName: `Tea ${number}` }, /holds a card number/)
    assertRefused({ shopAddress: number }, /holds a card number/)
    assertRefused({ shopPhoneNumber: number }, /holds a card number/)
  }
  assertRefused({ shopEmail: '4012888888881881@example.com' }, /holds a card number/)
  assertRefused({ shopUrl: 'https://example.com/4012888888881881' }, /holds a card number/)
})

test('a telephone number has a digit and at most 50 characters', () => {
  for (const number of ['1', '+81 3-0000-0000', '03'.repeat(25)])
    assert.deepEqual(read({ shopPhoneNumber: number }), { shopPhoneNumber: number })
  for (const number of ['-', 'call us']) assertRefused({ shopPhoneNumber: number }, /holds no digit/)
  assertRefused({ shopPhoneNumber: '1'.repeat(51) }, /has 51 characters: 50 are the most/)
})

test('an e-mail address is one that the page would take from a shopper', () => {
  const long = (length: number): string => `a@${`${'b'.repeat(59)}.`.repeat(4)}${'c'.repeat(length - 242)}`
  for (const address of ['a@b.jp', long(254)]) assert.deepEqual(read({ shopEmail: address }), { shopEmail: address })
  for (const address of ['a@b', 'a b@c.jp', '@c.jp', `${'a'.repeat(65)}@b.jp`])
    assertRefused({ shopEmail: address }, /is no e-mail address/)
  assertRefused({ shopEmail: long(255) }, /has 255 characters/)
})

test('an address of a site is http or https without a user name, as the URL parser writes it', () => {
  assert.deepEqual(read({ shopUrl: 'HTTP://Shop.example.com' }), { shopUrl: 'http://shop.example.com/' })
  assert.deepEqual(read({ shopUrl: 'https://お茶.example/x y' }), { shopUrl: 'https://xn--t8jy01w.example/x%20y' })
  for (const address of ['shop.example.com', 'javascript:alert(1)', 'ftp://a.jp', 'https://', 'https://a:b@c.jp'])
    assertRefused({ shopUrl: address }, /is no address\. Give one such as https/)
  assertRefused({ shopUrl: 'https://p\u0430ypal.example' }, /mixes letters of different scripts/)
  const longest = `https://a.jp/${'x'.repeat(SHOP_FACT_MAX.shopUrl - 13)}`
  assert.deepEqual(read({ shopUrl: longest }), { shopUrl: longest })
  assertRefused({ shopUrl: `${longest}x` }, /has 2001 characters/)
  assertRefused({ shopUrl: `https://a.jp/${'茶'.repeat(221)}` }, /has 2002 characters/)
  assert.ok(!isRefusal(read({ shopUrl: `https://a.jp/${'茶'.repeat(220)}` })))
})
