import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { makeTemporaryFolder } from '../testing/acquirer.ts'
import type { ChargeDetails, ChargeOutcome } from './order-rows.ts'
import { newId } from './ids.ts'
import { openOrderStore } from './order-store.ts'

const detailsOf = (orderId: string): ChargeDetails => ({
  orderId,
  amountYen: 1980,
  card: { brand: 'jcb', lastFour: '0106', fingerprint: 'a fingerprint' },
})

const charged = (): ChargeOutcome => ({ status: 'charged', transactionId: newId('txn'), approvedAt: 500 })

const EVERYTHING = { after: 0, limit: 10, from: 0, to: Number.MAX_SAFE_INTEGER }

const storeFile = (t: TestContext): string => join(makeTemporaryFolder(t), 'orders.sqlite')

test('a pending order is booked when it is due and not a millisecond before', (t) => {
  const orders = openOrderStore(storeFile(t))
  t.after(orders.close)
  orders.insertIfAbsent(detailsOf('late'), { status: 'pending', dueAt: 1_000 })
  assert.equal(orders.nextDueAt(), 1_000)

  assert.equal(orders.bookDueCharges(999), false)
  assert.equal(orders.find('late')?.status, 'pending')
  assert.equal(orders.bookDueCharges(1_000), true)
  const order = orders.find('late')
  assert.equal(order?.status, 'charged')
  assert.equal(order.approvedAt, 1_000)

  assert.equal(orders.bookDueCharges(2_000), false)
  assert.deepEqual(orders.find('late'), order)
  assert.equal(orders.nextDueAt(), undefined)
})

test('a pending order and a queued charge that became due while the acquirer was down are booked afterwards', (t) => {
  const file = storeFile(t)
  const before = openOrderStore(file)
  before.insertIfAbsent(detailsOf('late'), { status: 'pending', dueAt: 1_000 })
  before.enqueue(detailsOf('queued'), 2_000)
  before.close()

  const orders = openOrderStore(file)
  t.after(orders.close)
  assert.equal(orders.nextDueAt(), 1_000)
  assert.equal(orders.bookDueCharges(5_000), true)
  assert.deepEqual(
    orders.list(EVERYTHING).map(({ orderId, status }) => [orderId, status]),
    [
      ['late', 'charged'],
      ['queued', 'charged'],
    ],
  )
})

test('a queued charge whose order id was fenced or charged meanwhile books nothing', (t) => {
  const orders = openOrderStore(storeFile(t))
  t.after(orders.close)
  for (const orderId of ['fenced', 'taken', 'free']) orders.enqueue(detailsOf(orderId), 1_000)
  orders.enqueue(detailsOf('free'), 1_001)
  assert.equal(orders.find('free'), undefined)
  orders.fence('fenced')
  const taken = orders.insertIfAbsent(detailsOf('taken'), charged())

  assert.equal(orders.bookDueCharges(1_000), true)
  const free = orders.find('free')
  assert.equal(free?.status, 'charged')
  assert.equal(orders.bookDueCharges(1_001), true)
  assert.equal(orders.find('fenced')?.status, 'void')
  assert.deepEqual(orders.find('taken'), taken)
  assert.deepEqual(orders.find('free'), free)
  assert.equal(orders.list(EVERYTHING).length, 3)
  assert.equal(orders.nextDueAt(), undefined)
})

test('inserting an order id twice keeps the first charge', (t) => {
  const orders = openOrderStore(storeFile(t))
  t.after(orders.close)
  const first = orders.insertIfAbsent(detailsOf('once'), charged())
  assert.deepEqual(orders.insertIfAbsent(detailsOf('once'), charged()), first)
  assert.deepEqual(orders.fence('once'), first)
  assert.equal(orders.list(EVERYTHING).length, 1)
})

test('a second acquirer cannot open the same database file', (t) => {
  const file = storeFile(t)
  const orders = openOrderStore(file)
  t.after(orders.close)
  assert.throws(() => openOrderStore(file), /locked/)
})

test('a transaction id is 20 random base32 characters', () => {
  const ids = Array.from({ length: 500 }, () => newId('txn'))
  for (const id of ids) assert.match(id, /^txn_[a-z2-7]{20}$/)
  assert.equal(new Set(ids).size, 500)
  assert.equal(new Set(ids.join('').replaceAll('txn_', '')).size, 32)
})
