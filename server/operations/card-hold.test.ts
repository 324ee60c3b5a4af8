import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { CardBinding } from '#payment/ports.ts'
import { createCardHold, CARD_HOLD_MS } from './card-hold.ts'
import { cardWithNumber } from '../../proof/harness/cards.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'

const NUMBER = '4242424242424242'
const binding: CardBinding = { merchantId: 'tea', checkoutId: 'checkout', orderCode: 'order', amountYen: 1980 }

const openHold = () => {
  const clock = virtualClock()
  return { clock, hold: createCardHold(clock.now) }
}

test('a card is found by the payment that it is held for, as often as it asks', () => {
  const { hold } = openHold()
  hold.put(binding, cardWithNumber(NUMBER))
  assert.equal(hold.find({ ...binding })?.number.reveal(), NUMBER)
  assert.equal(hold.find({ ...binding })?.number.reveal(), NUMBER)
})

const others: readonly (readonly [string, CardBinding])[] = [
  ['merchant', { ...binding, merchantId: 'books' }],
  ['checkout', { ...binding, checkoutId: 'another' }],
  ['order code', { ...binding, orderCode: 'another' }],
  ['amount', { ...binding, amountYen: 1981 }],
]
for (const [name, other] of others) {
  test(`a card is not found by a payment of another ${name}`, () => {
    const { hold } = openHold()
    hold.put(binding, cardWithNumber(NUMBER))
    assert.equal(hold.find(other), undefined)
    assert.equal(hold.find(binding)?.number.reveal(), NUMBER)
  })
}

test('a card is held for fifteen minutes less a millisecond, and then its digits are overwritten', () => {
  const { clock, hold } = openHold()
  const card = cardWithNumber(NUMBER)
  hold.put(binding, card)
  clock.advance(CARD_HOLD_MS - 1)
  assert.equal(hold.find(binding)?.number.reveal(), NUMBER)
  clock.advance(1)
  assert.equal(hold.find(binding), undefined)
  assert.throws(() => card.number.reveal(), /wiped/)
  assert.equal(CARD_HOLD_MS, 15 * 60 * 1000)
})

test('asking for a card does not prolong its time', () => {
  const { clock, hold } = openHold()
  hold.put(binding, cardWithNumber(NUMBER))
  clock.advance(CARD_HOLD_MS - 1)
  hold.find(binding)
  clock.advance(1)
  assert.equal(hold.find(binding), undefined)
})

test('a card that nobody asks for any more is wiped by the sweep, and the others stay', () => {
  const { clock, hold } = openHold()
  const old = cardWithNumber(NUMBER)
  hold.put(binding, old)
  clock.advance(CARD_HOLD_MS - 1)
  hold.put({ ...binding, orderCode: 'younger' }, cardWithNumber('4111111111111111'))
  clock.advance(1)
  hold.sweep()
  assert.throws(() => old.number.reveal(), /wiped/)
  assert.equal(hold.size, 1)
  assert.equal(hold.find({ ...binding, orderCode: 'younger' })?.number.reveal(), '4111111111111111')
})

test('holding a new card sweeps out the old ones', () => {
  const { clock, hold } = openHold()
  const old = cardWithNumber(NUMBER)
  hold.put(binding, old)
  clock.advance(CARD_HOLD_MS)
  hold.put({ ...binding, orderCode: 'younger' }, cardWithNumber('4111111111111111'))
  assert.throws(() => old.number.reveal(), /wiped/)
  assert.equal(hold.size, 1)
})

test('a card that is wiped is gone, its digits overwritten; wiping what is not held does nothing', () => {
  const { hold } = openHold()
  const card = cardWithNumber(NUMBER)
  hold.put(binding, card)
  hold.wipe('another')
  assert.equal(hold.size, 1)
  hold.wipe(binding.orderCode)
  assert.equal(hold.find(binding), undefined)
  assert.equal(hold.size, 0)
  assert.throws(() => card.number.reveal(), /wiped/)
  hold.wipe(binding.orderCode)
})

test('a held card does not print its number', () => {
  const { hold } = openHold()
  hold.put(binding, cardWithNumber(NUMBER))
  const found = hold.find(binding)
  for (const print of [inspect(found, { depth: 9, showHidden: true }), JSON.stringify(found), `${found?.number}`]) {
    assert.match(print, /•••• 4242/)
    assert.doesNotMatch(print, /42424242/)
  }
})
