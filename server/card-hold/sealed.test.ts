import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { CardBinding } from '#payment/ports.ts'
import { cardWithNumber, heldCard } from '../../proof/harness/cards.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { CARD_HOLD_MS, createCardHold } from './memory.ts'
import { CARD_COPY_MS, createSealedCardHold, type SealedStore } from './sealed.ts'
import { createCardSealing } from './sealing.ts'

const NUMBER = '4242424242424242'
const binding: CardBinding = { merchantId: 'tea', checkoutId: 'checkout', orderCode: 'order', amountYen: 1980 }

type Keys = readonly [Uint8Array, ...Uint8Array[]]
const newKey = (): Uint8Array => randomBytes(32)

/** A store in memory that can be silent, and can be read as an attacker would. */
const createStore = () => {
  const values = new Map<string, Buffer>()
  const lifetimes: number[] = []
  let silence: 'none' | 'before' | 'after' = 'none'
  const answer = async <T>(work: () => T): Promise<T> => {
    if (silence === 'before') throw new Error('Command timed out')
    const done = work()
    if (silence === 'after') throw new Error('Command timed out')
    return done
  }
  const store: SealedStore = {
    set: (name, bytes, ms) =>
      answer(() => {
        values.set(name, bytes)
        lifetimes.push(ms)
      }),
    get: (names) => answer(() => names.map((name) => values.get(name) ?? null)),
    delete: (names) => answer(() => names.forEach((name) => values.delete(name))),
  }
  return { store, values, lifetimes, fall: (how: typeof silence) => void (silence = how) }
}

const openServer = (shared: ReturnType<typeof createStore>, keys: Keys) => {
  const clock = virtualClock()
  const memory = createCardHold(clock.now, CARD_COPY_MS)
  const warnings: string[] = []
  const hold = createSealedCardHold({
    store: shared.store,
    sealing: createCardSealing(keys),
    memory,
    log: { warn: (message) => void warnings.push(message) },
  })
  return { hold, memory, warnings, clock }
}

test('a card that one server holds is found by another, by the payment that it is held for', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const [one, other] = [openServer(shared, keys), openServer(shared, keys)]
  const card = cardWithNumber(NUMBER)
  assert.deepEqual(await one.hold.put(binding, card), { outcome: 'held' })
  const found = await heldCard(other.hold, binding)
  assert.deepEqual(
    [found?.number.reveal(), found?.expiryMonth, found?.expiryYear, found?.holderName, found?.email],
    [NUMBER, card.expiryMonth, card.expiryYear, card.holderName, card.email],
  )
  assert.deepEqual(shared.lifetimes, [CARD_HOLD_MS])
})

const others: readonly (readonly [string, CardBinding])[] = [
  ['merchant', { ...binding, merchantId: 'books' }],
  ['checkout', { ...binding, checkoutId: 'another' }],
  ['order code', { ...binding, orderCode: 'another' }],
  ['amount', { ...binding, amountYen: 1981 }],
]
for (const [name, wrong] of others) {
  test(`a sealed card does not open for a payment of another ${name}, not even under the name of the right one`, async () => {
    const [shared, keys] = [createStore(), [newKey()] as const]
    const { hold } = openServer(shared, keys)
    await hold.put(binding, cardWithNumber(NUMBER))
    const [[, bytes] = assert.fail()] = [...shared.values]
    for (const moved of createCardSealing(keys).namesOf(wrong.orderCode)) shared.values.set(moved, bytes)
    assert.equal(await heldCard(openServer(shared, keys).hold, wrong), undefined)
    assert.notEqual(await heldCard(hold, binding), undefined)
  })
}

test('the store holds neither the number nor the order code, and no two seals of one card are alike', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const { hold } = openServer(shared, keys)
  const seen: string[] = []
  for (let n = 0; n < 2; n += 1) {
    await hold.put(binding, cardWithNumber(NUMBER))
    const [[name, bytes] = assert.fail()] = [...shared.values]
    seen.push(bytes.toString('latin1'))
    assert.doesNotMatch(name + bytes.toString('latin1'), /4242424242|order|checkout|YAMADA|example/)
  }
  assert.notEqual(seen[0], seen[1])
})

test('a sealed card of which one bit was changed is not held', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  await openServer(shared, keys).hold.put(binding, cardWithNumber(NUMBER))
  const [[name, bytes] = assert.fail()] = [...shared.values]
  for (let place = 0; place < bytes.length; place += 1) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    shared.values.set(name, changed)
    assert.equal(await heldCard(openServer(shared, keys).hold, binding), undefined, `byte ${place}`)
  }
  shared.values.set(name, Buffer.alloc(3))
  assert.equal(await heldCard(openServer(shared, keys).hold, binding), undefined)
})

test('keys rotate without a lost card: the new one stands second on every server before it stands first', async () => {
  const [shared, before, next] = [createStore(), newKey(), newKey()]
  const [prepared, rotated] = [openServer(shared, [before, next]), openServer(shared, [next, before])]
  await prepared.hold.put(binding, cardWithNumber(NUMBER))
  const later = { ...binding, orderCode: 'later' }
  await rotated.hold.put(later, cardWithNumber(NUMBER))
  assert.notEqual(await heldCard(rotated.hold, binding), undefined)
  assert.notEqual(await heldCard(prepared.hold, later), undefined)
  await rotated.hold.wipe([binding.orderCode, 'later'])
  assert.equal(shared.values.size, 0)
  assert.equal(await heldCard(prepared.hold, binding), undefined)
})

test('a card that another server has wiped is wiped here too, its digits overwritten', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const [one, other] = [openServer(shared, keys), openServer(shared, keys)]
  const card = cardWithNumber(NUMBER)
  await one.hold.put(binding, card)
  await other.hold.wipe([binding.orderCode])
  assert.equal(await heldCard(one.hold, binding), undefined)
  assert.equal(card.number.isWiped, true)
})

test('in one process a card is one object, so that a wipe ends every use of it', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const [one, other] = [openServer(shared, keys), openServer(shared, keys)]
  await one.hold.put(binding, cardWithNumber(NUMBER))
  const first = await heldCard(other.hold, binding)
  assert.equal(await heldCard(other.hold, binding), first)
  await other.hold.wipe([binding.orderCode])
  assert.equal(first?.number.isWiped, true)
})

test('a card that was found a moment before the end of its copy is not overwritten while it is charged', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const { hold, memory, clock } = openServer(shared, keys)
  await hold.put(binding, cardWithNumber(NUMBER))
  clock.advance(CARD_COPY_MS - 1)
  const found = await heldCard(hold, binding)
  clock.advance(CARD_COPY_MS - 1)
  memory.sweep()
  assert.equal(found?.number.reveal(), NUMBER)
  clock.advance(1)
  memory.sweep()
  assert.equal(found?.number.isWiped, true)
})

test('while the store is silent nothing is held and nothing found, and a wipe ends without an error', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const { hold, warnings } = openServer(shared, keys)
  const card = cardWithNumber(NUMBER)
  await hold.put(binding, card)
  shared.fall('before')
  assert.deepEqual(await hold.find(binding), { outcome: 'unavailable', why: 'Command timed out' })
  assert.equal((await hold.put({ ...binding, orderCode: 'next' }, cardWithNumber(NUMBER))).outcome, 'unavailable')
  await hold.wipe([binding.orderCode])
  assert.equal(card.number.isWiped, true)
  assert.ok(warnings.length > 0)
})

test('a card whose holding was not answered is wiped again, because it may have been stored', async () => {
  const [shared, keys] = [createStore(), [newKey()] as const]
  const { hold } = openServer(shared, keys)
  shared.fall('after')
  assert.equal((await hold.put(binding, cardWithNumber(NUMBER))).outcome, 'unavailable')
  assert.equal(shared.values.size, 0)
})
