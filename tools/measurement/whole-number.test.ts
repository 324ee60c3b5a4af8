import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../command-error.mjs'
import { wholeNumber } from './whole-number.ts'

const RANGE = { from: 1, to: 1000 }

test('a number of payments is read from its range, both ends included', () => {
  for (const [text, value] of [
    ['1', 1],
    ['1000', 1000],
    ['007', 7],
  ] as const)
    assert.equal(wholeNumber('the number of payments', text, RANGE), value)
})

test('a number of payments that is not whole or is out of range is refused with the range', () => {
  for (const text of ['0', '1001', '-1', '1.5', '1e2', '0x10', ' 5', 'NaN', 'Infinity', '9'.repeat(400)])
    assert.throws(
      () => wholeNumber('the number of payments', text, RANGE),
      new CommandError(`the number of payments is ${text}: give a whole number from 1 to 1000`),
    )
  assert.throws(
    () => wholeNumber('the seed', '', RANGE),
    new CommandError('the seed is empty: give a whole number from 1 to 1000'),
  )
})
