import assert from 'node:assert/strict'
import { test } from 'node:test'
import { field, serveAcquirer } from '../testing/acquirer.ts'

const refundPath = (orderId: string, refundId: string) => `/acquirer/v1/orders/${orderId}/refunds/${refundId}`

test('a charge is refunded once for each refund id, and an inquiry gives the same answer', async (t) => {
  const { charge, refund, inquire, send } = await serveAcquirer(t)
  await charge('order-1')
  const first = await refund('order-1', 'refund-1', 980)
  assert.equal(first.status, 200)
  const refundedAt = field(first.body, 'refundedAt')
  assert.equal(new Date(String(refundedAt)).toISOString(), refundedAt)
  assert.deepEqual(first.body, {
    orderId: 'order-1',
    refundId: 'refund-1',
    status: 'refunded',
    amount: 980,
    refundedAt,
  })
  assert.deepEqual((await refund('order-1', 'refund-1', 980)).body, first.body)
  const inquired = await send('GET', refundPath('order-1', 'refund-1'))
  assert.equal(inquired.status, 200)
  assert.deepEqual(inquired.body, first.body)
  assert.equal(field((await inquire('order-1')).body, 'refundedAmount'), 980)
})

test('a refund id with another amount is refused', async (t) => {
  const { charge, refund, inquire } = await serveAcquirer(t)
  await charge('order-1')
  await refund('order-1', 'refund-1', 980)
  const answer = await refund('order-1', 'refund-1', 981)
  assert.equal(answer.status, 409)
  assert.deepEqual(answer.body, { error: 'refund_mismatch' })
  assert.equal(field((await inquire('order-1')).body, 'refundedAmount'), 980)
})

test('refunds may add up to the charge to the yen and never exceed it', async (t) => {
  const { charge, refund, inquire } = await serveAcquirer(t)
  await charge('order-1')
  await refund('order-1', 'refund-1', 1000)
  const over = await refund('order-1', 'refund-2', 981)
  assert.equal(over.status, 409)
  assert.deepEqual(over.body, { error: 'refund_exceeds_charge' })
  assert.equal((await refund('order-1', 'refund-3', 980)).status, 200)
  assert.deepEqual((await refund('order-1', 'refund-4', 1)).body, { error: 'refund_exceeds_charge' })
  assert.equal(field((await inquire('order-1')).body, 'refundedAmount'), 1980)
})

test('simultaneous refunds of a whole charge refund it once', async (t) => {
  const { charge, refund, inquire } = await serveAcquirer(t)
  await charge('order-1')
  const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => refund('order-1', `refund-${index}`, 1980)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => status === 409).length, 4)
  assert.equal(field((await inquire('order-1')).body, 'refundedAmount'), 1980)
})

test('an order that is declined, fenced, pending or unknown cannot be refunded', async (t) => {
  const { charge, fence, refund, inquire } = await serveAcquirer(t)
  await charge('declined', { card: { number: '4100000000750001' } })
  await fence('fenced')
  void charge('pending', { card: { number: '4100000000753005' } }).catch(() => undefined)
  while ((await inquire('pending')).status === 404);
  for (const orderId of ['declined', 'fenced', 'pending']) {
    const answer = await refund(orderId, 'refund-1', 1)
    assert.equal(answer.status, 409, orderId)
    assert.deepEqual(answer.body, { error: 'order_not_charged' })
  }
  const unknown = await refund('unknown', 'refund-1', 1)
  assert.equal(unknown.status, 404)
  assert.deepEqual(unknown.body, { error: 'order_not_found' })
})

test('a refund that was refused stays refused under its id, with the same reason, and another id can be used', async (t) => {
  const { charge, refund, inquire, send } = await serveAcquirer(t)
  await charge('order-1')
  for (const amount of [1981, 1981, 1980, 1]) {
    const answer = await refund('order-1', 'refund-1', amount)
    assert.equal(answer.status, 409, String(amount))
    assert.deepEqual(answer.body, { error: 'refund_exceeds_charge' })
  }
  assert.deepEqual((await send('GET', refundPath('order-1', 'refund-1'))).body, { error: 'refund_not_found' })
  assert.equal((await refund('order-1', 'refund-2', 1980)).status, 200)
  assert.equal(field((await inquire('order-1')).body, 'refundedAmount'), 1980)
})

test('a refund that was refused before its charge was booked stays refused afterwards', async (t) => {
  const { charge, refund, inquire } = await serveAcquirer(t)
  const booked = charge('order-1', { card: { number: '4100000000753005' } })
  while ((await inquire('order-1')).status === 404);
  assert.deepEqual((await refund('order-1', 'refund-1', 1)).body, { error: 'order_not_charged' })
  assert.equal(field((await booked).body, 'status'), 'charged')
  assert.deepEqual((await refund('order-1', 'refund-1', 1)).body, { error: 'order_not_charged' })
  assert.equal((await refund('order-1', 'refund-2', 1)).status, 200)
  assert.equal(field((await inquire('order-1')).body, 'refundedAmount'), 1)
})

test('a malformed refund is refused with the name of the field', async (t) => {
  const { charge, refund, send } = await serveAcquirer(t)
  await charge('order-1', { amount: 9_999_999 })
  for (const amount of [0, 10_000_000, 1.5, '1', null]) {
    const answer = await refund('order-1', 'refund-1', amount)
    assert.equal(answer.status, 400, String(amount))
    assert.equal(field(answer.body, 'field'), 'amount')
  }
  assert.equal(field((await send('POST', refundPath('order-1', 'refund-1'), '{')).body, 'field'), 'body')
  assert.equal((await refund('order-1', 'refund-1', 9_999_999)).status, 200)
})

test('a refund that was never made is not found', async (t) => {
  const { charge, send } = await serveAcquirer(t)
  await charge('order-1')
  for (const orderId of ['order-1', 'unknown']) {
    const answer = await send('GET', refundPath(orderId, 'refund-1'))
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, { error: 'refund_not_found' })
  }
})
