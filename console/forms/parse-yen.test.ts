import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseYen, tidyYen } from './parse-yen.ts'

test('an amount is read however a Japanese keyboard writes it', () => {
  for (const text of [
    '12000',
    '12,000',
    '１２０００',
    '１２，０００',
    '１２、０００',
    '¥12,000',
    '￥12000',
    '12,000円',
    ' 12 000 ',
  ])
    assert.deepEqual(parseYen(text), { state: 'amount', amount: 12_000 }, text)
})

test('what is no amount that a checkout can have is wrong, and nothing is empty', () => {
  for (const text of ['', '  ', '円']) assert.deepEqual(parseYen(text), { state: 'empty' }, text)
  for (const text of ['0', '-5', '1.5', '10000000', '一万', '12e3', '1'.repeat(40)])
    assert.deepEqual(parseYen(text), { state: 'wrong' }, text)
})

test('a field that is left shows its amount with separators, and what is wrong as it was typed', () => {
  assert.equal(tidyYen('１２３４５６'), '123,456')
  assert.equal(tidyYen('abc'), 'abc')
})
