import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTerms } from './checkout-search.ts'

const ID = 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7'

const found = (typed: string): string =>
  searchTerms(typed)
    .map(({ by, value }) => `${by} ${value}`)
    .join(', ')

test('a text with a yen sign, a unit or commas is an amount, also as a Japanese keyboard types it', () => {
  for (const typed of ['1,980', '¥1980', '￥１，９８０', ' ¥ 1,980 ', '1980円', '１９８０円', '1980 JPY', '\\1980'])
    assert.equal(found(typed), 'amount 1980', typed)
  assert.equal(found('9,999,999'), 'amount 9999999')
})

test('an amount that no checkout can have, or with commas in the wrong place, is searched as a reference', () => {
  for (const typed of ['¥0', '1,98', '10,000,000', '¥12345678'])
    assert.equal(found(typed), `reference ${typed}, transactionId ${typed}`, typed)
})

test('four digits may be the end of a card, an amount or a number of the shop', () => {
  assert.equal(found('4242'), 'lastFour 4242, amount 4242, reference 4242, transactionId 4242')
  assert.equal(found('0042'), 'lastFour 0042, reference 0042, transactionId 0042')
  assert.equal(found('４２４２'), 'lastFour 4242, amount 4242, reference ４２４２, reference 4242, transactionId 4242')
  assert.equal(found('980'), 'amount 980, reference 980, transactionId 980')
  assert.equal(found('20261118'), 'reference 20261118, transactionId 20261118')
})

test('what has an @ is an address, as typed and in small letters', () => {
  assert.equal(found(' Taro@Example.com'), 'email Taro@Example.com, email taro@example.com')
  assert.equal(found('taro＠example.com'), 'email taro@example.com')
})

test('an id is a checkout or an order, and a link that was copied leads to its checkout', () => {
  assert.equal(found(ID), `id ${ID}, reference ${ID}, transactionId ${ID}`)
  for (const link of [`https://tea.example.com/${ID}`, `http://tea.localhost:3000/${ID}/complete?x=1`])
    assert.equal(found(link), `id ${ID}`, link)
  assert.equal(
    found('https://tea.example.com/'),
    'reference https://tea.example.com/, transactionId https://tea.example.com/',
  )
})

test('anything else is a number of the shop or of the acquirer, and spaces are nothing', () => {
  assert.equal(found('order-42'), 'reference order-42, transactionId order-42')
  assert.equal(found('注文 42'), 'reference 注文 42, transactionId 注文 42')
  assert.equal(found('  　 '), '')
})
