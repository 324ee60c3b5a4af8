import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTypedYen } from './typed-yen.ts'

test('an amount is read as people type it, in Japanese input too', () => {
  for (const typed of [
    '1980',
    '1,980',
    ' 1980 ',
    '１９８０',
    '１，９８０円',
    '¥1,980',
    '￥１９８０',
    '1、980',
    '01980',
  ])
    assert.equal(readTypedYen(typed), 1980, typed)
  assert.equal(readTypedYen('0'), 0)
  assert.equal(readTypedYen('999999999'), 999_999_999)
})

test('what is no whole number of yen is no amount, and nothing is null', () => {
  for (const typed of ['', ' ', '円']) assert.equal(readTypedYen(typed), null, typed)
  for (const typed of ['-1980', '19.80', '１９．８', '1e3', '0x10', 'abc', '1980x', '1234567890', '千円'])
    assert.equal(readTypedYen(typed), undefined, typed)
  assert.equal(readTypedYen('1'.repeat(1_000_000)), undefined)
})
