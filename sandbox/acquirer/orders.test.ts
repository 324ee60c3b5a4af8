import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { makeFolder } from '../testing/acquirer.ts'
import type { Outcome, Terms } from './order-rows.ts'
import { newTransactionId, openOrders } from './orders.ts'

const terms = (orderId: string): Terms => ({
  orderId,
  amountYen: 1980,
  card: { brand: 'jcb', lastFour: '0106', fingerprint: 'a fingerprint' },
})

const charged = (): Outcome => ({ status: 'charged', transactionId: newTransactionId(), approvedAt: 500 })

const storeFile = (t: TestContext): string => join(makeFolder(t), 'orders.sqlite')

test('a pending order is booked when its time has come and not a millisecond before', (t) => {
  const orders = openOrders(storeFile(t))
  t.after(orders.close)
  orders.place(terms('late'), { status: 'pending', dueAt: 1_000 })
  assert.equal(orders.nextDueAt(), 1_000)

  assert.equal(orders.settle(999), false)
  assert.equal(orders.find('late')?.status, 'pending')
  assert.equal(orders.settle(1_000), true)
  const order = orders.find('late')
  assert.equal(order?.status, 'charged')
  assert.equal(order.approvedAt, 1_000)

  assert.equal(orders.settle(2_000), false)
  assert.deepEqual(orders.find('late'), order)
  assert.equal(orders.nextDueAt(), undefined)
})

test('a pending order and a queued charge whose time came while the acquirer was down are booked afterwards', (t) => {
  const file = storeFile(t)
  const before = openOrders(file)
  before.place(terms('late'), { status: 'pending', dueAt: 1_000 })
  before.enqueue(terms('queued'), 2_000)
  before.close()

  const orders = openOrders(file)
  t.after(orders.close)
  assert.equal(orders.nextDueAt(), 1_000)
  assert.equal(orders.settle(5_000), true)
  assert.deepEqual(
    orders.list(0, 10).map(({ orderId, status }) => [orderId, status]),
    [
      ['late', 'charged'],
      ['queued', 'charged'],
    ],
  )
})

test('a queued charge finds its order id fenced or already charged, and books nothing', (t) => {
  const orders = openOrders(storeFile(t))
  t.after(orders.close)
  for (const orderId of ['fenced', 'taken', 'free']) orders.enqueue(terms(orderId), 1_000)
  orders.enqueue(terms('free'), 1_001)
  assert.equal(orders.find('free'), undefined)
  orders.fence('fenced')
  const taken = orders.place(terms('taken'), charged())

  assert.equal(orders.settle(1_000), true)
  const free = orders.find('free')
  assert.equal(free?.status, 'charged')
  assert.equal(orders.settle(1_001), true)
  assert.equal(orders.find('fenced')?.status, 'void')
  assert.deepEqual(orders.find('taken'), taken)
  assert.deepEqual(orders.find('free'), free)
  assert.equal(orders.list(0, 10).length, 3)
  assert.equal(orders.nextDueAt(), undefined)
})

test('placing an order id twice keeps the first charge', (t) => {
  const orders = openOrders(storeFile(t))
  t.after(orders.close)
  const first = orders.place(terms('once'), charged())
  assert.deepEqual(orders.place(terms('once'), charged()), first)
  assert.deepEqual(orders.fence('once'), first)
  assert.equal(orders.list(0, 10).length, 1)
})

test('a second acquirer cannot open the same book', (t) => {
  const file = storeFile(t)
  const orders = openOrders(file)
  t.after(orders.close)
  assert.throws(() => openOrders(file), /locked/)
})

test('a transaction id is 20 random base32 characters', () => {
  const ids = Array.from({ length: 500 }, newTransactionId)
  for (const id of ids) assert.match(id, /^txn_[a-z2-7]{20}$/)
  assert.equal(new Set(ids).size, 500)
  assert.equal(new Set(ids.join('').replaceAll('txn_', '')).size, 32)
})
