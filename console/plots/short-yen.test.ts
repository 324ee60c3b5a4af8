import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortYen } from './short-yen.ts'

test('amounts beside a plot are short, in 万 for Japanese readers and in thousands for others', () => {
  const written = (amount: number) => [shortYen(amount, 'ja'), shortYen(amount, 'en-US')]
  assert.deepEqual(written(0), ['¥0', '¥0'])
  assert.deepEqual(written(500), ['¥500', '¥500'])
  assert.deepEqual(written(5000), ['¥5,000', '¥5k'])
  assert.deepEqual(written(25_000), ['¥2.5万', '¥25k'])
  assert.deepEqual(written(1_500_000), ['¥150万', '¥1.5M'])
  assert.deepEqual(written(20_000_000), ['¥2,000万', '¥20M'])
})
