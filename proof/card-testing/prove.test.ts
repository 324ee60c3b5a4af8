import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { figuresOf } from './prove.ts'

const HONEST = { shoppers: 10, tries: 12, mistakes: 2, paid: 10, busiestAddress: 6, challenged: 1, refusals: [] }

test('the card testing proof says what each bot reached and that no honest shopper was refused', () => {
  assert.deepEqual(figuresOf({ 'one link, one address: charges': 5 }, HONEST), {
    'one link, one address: charges': 5,
    'honest shoppers: shoppers': 10,
    'honest shoppers: tries': 12,
    'honest shoppers: mistakes': 2,
    'honest shoppers: paid': 10,
    'honest shoppers: busiestAddress': 6,
    'honest shoppers: challenged': 1,
    'honest shoppers: refused': 0,
  })
})

test('a bot that reaches one more than it may, and an honest shopper who is refused, fail the proof', () => {
  for (const [name, max] of [
    ['one link, one address: charges', 5],
    ['one address, three hours, declined: questions', 151],
    ['one address, three hours, declined: without a challenge', 31],
    ['one card, one hour: charges', 4],
    ['one card, 24 hours: charges', 8],
    ['distributed: charges without a challenge while a challenge is forced', 0],
    ['behind payments with one own card, one network: without a challenge', 60],
    ['beside 1402 payments an hour of a busy shop, beyond its usual: without a challenge', 60],
    ['from one IPv6 /48 at five shops: without a challenge', 100],
    ['after 24 starts of strangers: not paid', 0],
    ['after 24 starts of strangers: asked for a challenge', 0],
    ['shared address, 10 starts of another: refused', 0],
    ['shared address, 10 starts of another: longest wait, seconds', 600],
    ['an issuer that never challenges: not paid', 0],
    ['an issuer that never challenges: minutes under a forced challenge', 11],
    ['a sale: asked for a challenge', 0],
    ['a sale: minutes under a forced challenge', 0],
  ] as const) {
    assert.equal(figuresOf({ [name]: max }, HONEST)[name], max)
    assert.throws(() => figuresOf({ [name]: max + 1 }, HONEST), CommandError, name)
  }
  assert.throws(() => figuresOf({}, { ...HONEST, refusals: ['192.0.2.1, try 1: start 429'] }), /1 honest tries/)
})
