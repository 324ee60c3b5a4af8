import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { PAGE_LOCALES } from './locale.ts'
import { isPayableYen, refundText, withThousandsSeparators, YEN_MAX, YEN_MIN, yenText } from './yen.ts'

test('whole yen from 1 to 9,999,999 can be paid, and nothing else', () => {
  for (const amount of [1, 2, 1980, 9_999_998, 9_999_999]) assert.equal(isPayableYen(amount), true, String(amount))
  for (const amount of [0, -0, -1, -1980, 10_000_000, 0.5, 1.5, 1980.01, 9_999_999.5, NaN, Infinity, -Infinity])
    assert.equal(isPayableYen(amount), false, String(amount))
  assert.deepEqual([YEN_MIN, YEN_MAX], [1, 9_999_999])
})

test('an amount is grouped by thousands', () => {
  const written: readonly (readonly [number, string])[] = [
    [0, '0'],
    [1, '1'],
    [12, '12'],
    [999, '999'],
    [1000, '1,000'],
    [1980, '1,980'],
    [99_999, '99,999'],
    [100_000, '100,000'],
    [999_999, '999,999'],
    [1_000_000, '1,000,000'],
    [9_999_999, '9,999,999'],
  ]
  for (const [amount, text] of written) assert.equal(withThousandsSeparators(amount), text)
})

test('every amount that can be paid is grouped as Intl would group it', () => {
  const reference = new Intl.NumberFormat('en-US')
  fc.assert(
    fc.property(fc.integer({ min: YEN_MIN, max: YEN_MAX }), (amount) => {
      assert.equal(withThousandsSeparators(amount), reference.format(amount))
    }),
  )
})

test('the amount names its currency to everyone who does not read Japanese', () => {
  assert.equal(yenText(1980, 'ja'), '¥1,980')
  assert.equal(refundText(1980, 'ja'), '-¥1,980')
  for (const locale of PAGE_LOCALES.filter((each) => each !== 'ja')) {
    assert.equal(yenText(1980, locale), '¥1,980 JPY', locale)
    assert.equal(refundText(1980, locale), '-¥1,980 JPY', locale)
  }
})
