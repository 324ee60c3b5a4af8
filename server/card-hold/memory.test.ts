import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { CardBinding } from '#payment/ports.ts'
import { createCardHold, CARD_HOLD_MS } from './memory.ts'
import { cardWithNumber, heldCard } from '../../proof/harness/cards.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'

const NUMBER = '4242424242424242'
const binding: CardBinding = { merchantId: 'tea', checkoutId: 'checkout', orderCode: 'order', amountYen: 1980 }

const openHold = () => {
  const clock = virtualClock()
  const hold = createCardHold(clock.now)
  const cardOf = (of: CardBinding) => heldCard(hold, of)
  return { clock, hold, cardOf }
}

test('a card is found by the payment that it is held for, as often as it asks', async () => {
  const { hold, cardOf } = openHold()
  await hold.put(binding, cardWithNumber(NUMBER))
  assert.equal((await cardOf({ ...binding }))?.number.reveal(), NUMBER)
  assert.equal((await cardOf({ ...binding }))?.number.reveal(), NUMBER)
})

const others: readonly (readonly [string, CardBinding])[] = [
  ['merchant', { ...binding, merchantId: 'books' }],
  ['checkout', { ...binding, checkoutId: 'another' }],
  ['order code', { ...binding, orderCode: 'another' }],
  ['amount', { ...binding, amountYen: 1981 }],
]
for (const [name, other] of others) {
  test(`a card is not found by a payment of another ${name}`, async () => {
    const { hold, cardOf } = openHold()
    await hold.put(binding, cardWithNumber(NUMBER))
    assert.equal(await cardOf(other), undefined)
    assert.equal((await cardOf(binding))?.number.reveal(), NUMBER)
  })
}

test('a card is held for fifteen minutes less a millisecond, and then its digits are overwritten', async () => {
  const { clock, hold, cardOf } = openHold()
  const card = cardWithNumber(NUMBER)
  await hold.put(binding, card)
  clock.advance(CARD_HOLD_MS - 1)
  assert.equal((await cardOf(binding))?.number.reveal(), NUMBER)
  clock.advance(1)
  assert.equal(await cardOf(binding), undefined)
  assert.throws(() => card.number.reveal(), /wiped/)
  assert.equal(CARD_HOLD_MS, 15 * 60 * 1000)
})

test('asking for a card does not prolong its time', async () => {
  const { clock, hold, cardOf } = openHold()
  await hold.put(binding, cardWithNumber(NUMBER))
  clock.advance(CARD_HOLD_MS - 1)
  await hold.find(binding)
  clock.advance(1)
  assert.equal(await cardOf(binding), undefined)
})

test('a card that nobody asks for any more is wiped by the sweep, and the others stay', async () => {
  const { clock, hold, cardOf } = openHold()
  const old = cardWithNumber(NUMBER)
  await hold.put(binding, old)
  clock.advance(CARD_HOLD_MS - 1)
  await hold.put({ ...binding, orderCode: 'younger' }, cardWithNumber('4111111111111111'))
  clock.advance(1)
  hold.sweep()
  assert.throws(() => old.number.reveal(), /wiped/)
  assert.equal(hold.size, 1)
  assert.equal((await cardOf({ ...binding, orderCode: 'younger' }))?.number.reveal(), '4111111111111111')
})

test('holding a new card sweeps out the old ones', async () => {
  const { clock, hold } = openHold()
  const old = cardWithNumber(NUMBER)
  await hold.put(binding, old)
  clock.advance(CARD_HOLD_MS)
  await hold.put({ ...binding, orderCode: 'younger' }, cardWithNumber('4111111111111111'))
  assert.throws(() => old.number.reveal(), /wiped/)
  assert.equal(hold.size, 1)
})

test('a card that is wiped is gone, its digits overwritten; wiping what is not held does nothing', async () => {
  const { hold, cardOf } = openHold()
  const card = cardWithNumber(NUMBER)
  await hold.put(binding, card)
  await hold.wipe(['another'])
  assert.equal(hold.size, 1)
  await hold.wipe([binding.orderCode])
  assert.equal(await cardOf(binding), undefined)
  assert.equal(hold.size, 0)
  assert.throws(() => card.number.reveal(), /wiped/)
  await hold.wipe([binding.orderCode])
})

test('a held card does not print its number', async () => {
  const { hold, cardOf } = openHold()
  await hold.put(binding, cardWithNumber(NUMBER))
  const found = await cardOf(binding)
  for (const print of [inspect(found, { depth: 9, showHidden: true }), JSON.stringify(found), `${found?.number}`]) {
    assert.match(print, /•••• 4242/)
    assert.doesNotMatch(print, /42424242/)
  }
})
