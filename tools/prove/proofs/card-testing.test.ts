import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../command-error.mjs'
import { figuresOf } from './card-testing.ts'

const HONEST = { shoppers: 10, tries: 12, mistakes: 2, paid: 10, busiestAddress: 6, refusals: [] }

test('the card testing proof says what each bot reached and that no honest shopper was refused', () => {
  assert.deepEqual(figuresOf({ 'one link, one address: charges': 5 }, HONEST), {
    'one link, one address: charges': 5,
    'honest shoppers: shoppers': 10,
    'honest shoppers: tries': 12,
    'honest shoppers: mistakes': 2,
    'honest shoppers: paid': 10,
    'honest shoppers: busiestAddress': 6,
    'honest shoppers: refused': 0,
  })
})

test('a bot that reaches one more than it may, and an honest shopper who is refused, fail the proof', () => {
  for (const [name, max] of [
    ['one link, one address: charges', 5],
    ['one address, three hours, declined: questions', 31],
    ['one card, one hour: charges', 4],
    ['one card, 24 hours: charges', 8],
    ['distributed: charges without a challenge while braked', 0],
  ] as const) {
    assert.equal(figuresOf({ [name]: max }, HONEST)[name], max)
    assert.throws(() => figuresOf({ [name]: max + 1 }, HONEST), CommandError, name)
  }
  assert.throws(() => figuresOf({}, { ...HONEST, refusals: ['192.0.2.1, try 1: start 429'] }), /1 honest tries/)
})
