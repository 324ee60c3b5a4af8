import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProblem } from '../command.ts'
import { readAmount, readBrands, readCheckoutId, readLocale, readMetadata, readTaxes } from './option-values.ts'

const ID = 'lg5hy5gqkz3x7tjx2jn3mcw4ap6tdoeb'

const assertRefused = (value: object, line: RegExp): void => {
  if (!isProblem(value)) assert.fail(JSON.stringify(value))
  assert.match(value.problem, line)
}

test('a checkout is named by its id or by its link', () => {
  for (const text of [ID, `http://demo.localhost:3000/${ID}`, `https://tea.pay.example.com/${ID}/creditcard?locale=ja`])
    assert.deepEqual(readCheckoutId(text), { checkoutId: ID })
  for (const text of ['', ID.slice(1), `${ID}a`, ID.toUpperCase(), 'https://tea.pay.example.com/', '4242424242424242'])
    assertRefused(readCheckoutId(text), /^This is no id of a checkout, .* checkout list shows the ids\.$/)
})

test('an amount is whole yen in digits, from 1 to 9,999,999', () => {
  assert.deepEqual(readAmount('1'), { amount: 1 })
  assert.deepEqual(readAmount('9999999'), { amount: 9_999_999 })
  for (const text of ['0', '10000000', '1.5', '1,980', '-1', '1e3', ' 1', '', '¥1'])
    assertRefused(readAmount(text), /^--amount must be whole yen from 1 to 9,999,999/)
})

test('taxes are yen by rate', () => {
  assert.deepEqual(readTaxes('8:980, 10:1000'), {
    taxes: [
      { rate: 8, amount: 980 },
      { rate: 10, amount: 1000 },
    ],
  })
  assert.deepEqual(readTaxes('0:0'), { taxes: [{ rate: 0, amount: 0 }] })
  for (const text of ['', '8', '8:', '5:100', '8:980,', '8=980', '8:-1', '08:1'])
    assertRefused(readTaxes(text), /^--taxes must be rate:yen .*8:980,10:1000\.$/)
})

test('brands and languages are those that the page has', () => {
  assert.deepEqual(readBrands('visa, jcb'), { acceptedCardBrands: ['visa', 'jcb'] })
  for (const text of ['', 'visa,', 'Visa', 'mastercard'])
    assertRefused(readBrands(text), /^--brands must be some of visa,/)
  assert.deepEqual(readLocale('zh-Hant'), { locale: 'zh_TW' })
  assert.deepEqual(readLocale('ja_JP'), { locale: 'ja_JP' })
  assertRefused(readLocale('jp'), /^--locale must be one of ja, en-US/)
})

test('metadata are pairs, each name once', () => {
  assert.deepEqual(readMetadata(['a=b', 'c=d=e', 'f=']), { metadata: { a: 'b', c: 'd=e', f: '' } })
  for (const texts of [['a'], ['=b'], ['a=b', '']]) assertRefused(readMetadata(texts), /^--metadata must be name=value/)
  assertRefused(readMetadata(['a=b', 'a=c']), /^--metadata has a name twice/)
})
