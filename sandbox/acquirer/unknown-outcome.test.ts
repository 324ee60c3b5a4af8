import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { chargeBody, field, itemsOf, pollUntil, serveAcquirer, TIME_SCALE } from '../testing/acquirer.ts'

const LATE = { card: { number: '4100000000753005' } }
const NEVER_ANSWERED = { card: { number: '4100000000754003' } }
const DROPPED = { card: { number: '4100000000755000' } }
const BOOKED_THEN_500 = { card: { number: '4100000000756008' } }
const ONLY_500 = { card: { number: '4100000000757006' } }
const QUEUED = { card: { number: '4100000000758004' } }

const PENDING_MS = 30_000 * TIME_SCALE
// Slower than the others: a loaded machine must still be able to inquire before the charge leaves the queue.
const QUEUE_TIME_SCALE = 2
const QUEUE_MS = 5_000 * QUEUE_TIME_SCALE

describe('a charge in doubt', { concurrency: true }, () => {
  test('a charge that times out is booked, and the client that gave up finds it by an inquiry', async (t) => {
    const { charge, inquire, list } = await serveAcquirer(t)
    const giveUp = new AbortController()
    let answered = false
    const held = charge('order-1', NEVER_ANSWERED, giveUp.signal).finally(() => (answered = true))
    held.catch(() => undefined)
    const inquired = await pollUntil(
      () => inquire('order-1'),
      ({ status }) => status === 200,
    )
    assert.equal(field(inquired.body, 'status'), 'charged')
    assert.equal(answered, false)
    giveUp.abort()
    await assert.rejects(held, { name: 'AbortError' })
    assert.deepEqual((await charge('order-1', NEVER_ANSWERED)).body, inquired.body)
    assert.equal(itemsOf(await list()).length, 1)
  })

  test('a charge that times out drops the connection without an answer after its longest wait', async (t) => {
    const scale = 0.002
    const { charge } = await serveAcquirer(t, scale)
    const start = performance.now()
    await assert.rejects(charge('order-1', NEVER_ANSWERED), { name: 'TypeError', message: 'fetch failed' })
    const heldMs = performance.now() - start
    assert.ok(heldMs >= 120_000 * scale - 5, `held for ${heldMs} ms`)
  })

  test('a late charge is pending for its time, then booked once and answered to every client that still waits', async (t) => {
    const { charge, inquire, fence, list } = await serveAcquirer(t)
    const start = Date.now()
    const first = charge('order-1', LATE)
    const pending = await pollUntil(
      () => inquire('order-1'),
      ({ status }) => status === 200,
    )
    assert.deepEqual(pending.body, {
      orderId: 'order-1',
      status: 'pending',
      amount: 1980,
      currency: 'JPY',
      card: { brand: 'visa', lastFour: '3005' },
    })
    const fenced = await fence('order-1')
    assert.equal(fenced.status, 409)
    assert.deepEqual(fenced.body, { error: 'order_exists', status: 'pending' })
    assert.equal(field((await charge('order-1', { ...LATE, amount: 1 })).body, 'error'), 'order_mismatch')

    const answers = await Promise.all([first, charge('order-1', LATE)])
    assert.ok(Date.now() - start >= PENDING_MS)
    assert.equal(field(answers[0].body, 'status'), 'charged')
    assert.deepEqual(answers[1].body, answers[0].body)
    assert.deepEqual((await inquire('order-1')).body, answers[0].body)
    assert.ok(Date.parse(String(field(answers[0].body, 'approvedAt'))) >= start + PENDING_MS)
    assert.equal(itemsOf(await list()).length, 1)
  })

  test('a late charge is booked although its client has gone', async (t) => {
    const { charge, inquire } = await serveAcquirer(t)
    const giveUp = new AbortController()
    const left = charge('order-1', LATE, giveUp.signal)
    left.catch(() => undefined)
    await pollUntil(
      () => inquire('order-1'),
      ({ body }) => field(body, 'status') === 'pending',
    )
    giveUp.abort()
    await assert.rejects(left, { name: 'AbortError' })
    await pollUntil(
      () => inquire('order-1'),
      ({ body }) => field(body, 'status') === 'charged',
    )
  })

  test('a dropped connection books nothing', async (t) => {
    const { charge, inquire, list } = await serveAcquirer(t)
    await assert.rejects(charge('order-1', DROPPED), { name: 'TypeError', message: 'fetch failed' })
    assert.equal((await inquire('order-1')).status, 404)
    assert.deepEqual(itemsOf(await list()), [])
  })

  test('an answer of 500 decides nothing: one charge was booked, the other was not', async (t) => {
    const { charge, inquire, list } = await serveAcquirer(t)
    for (const [orderId, card] of [['booked', BOOKED_THEN_500] as const, ['not-booked', ONLY_500] as const]) {
      const answer = await charge(orderId, card)
      assert.equal(answer.status, 500)
      assert.deepEqual(answer.body, { error: 'internal_error' })
    }
    assert.equal(field((await inquire('booked')).body, 'status'), 'charged')
    assert.equal((await inquire('not-booked')).status, 404)
    assert.equal((await charge('booked', BOOKED_THEN_500)).status, 200)
    assert.equal((await charge('not-booked', ONLY_500)).status, 500)
    assert.equal(itemsOf(await list()).length, 1)
  })

  test('a queued charge is not found for its time, then charged', async (t) => {
    const { charge, inquire, list } = await serveAcquirer(t, QUEUE_TIME_SCALE)
    const start = Date.now()
    await assert.rejects(charge('order-1', QUEUED), { name: 'TypeError', message: 'fetch failed' })
    assert.equal((await inquire('order-1')).status, 404)
    assert.deepEqual(itemsOf(await list()), [])
    const booked = await pollUntil(
      () => inquire('order-1'),
      ({ status }) => status === 200,
    )
    assert.ok(Date.now() - start >= QUEUE_MS)
    assert.equal(field(booked.body, 'status'), 'charged')
    assert.equal(itemsOf(await list()).length, 1)
  })

  test('a queued charge whose order id was fenced meanwhile is never booked', async (t) => {
    const { charge, inquire, fence, list } = await serveAcquirer(t, QUEUE_TIME_SCALE)
    await assert.rejects(charge('fenced', QUEUED))
    await assert.rejects(charge('not-fenced', QUEUED))
    const fenced = await fence('fenced')
    assert.equal(fenced.status, 200)
    assert.deepEqual(fenced.body, { orderId: 'fenced', status: 'void' })
    await pollUntil(
      () => inquire('not-fenced'),
      ({ status }) => status === 200,
    )
    assert.deepEqual((await inquire('fenced')).body, { orderId: 'fenced', status: 'void' })
    const statuses = itemsOf(await list()).map((item) => field(item, 'status'))
    assert.deepEqual(statuses, ['void', 'charged'])
  })

  test('a fenced order id refuses every charge, and fencing again changes nothing', async (t) => {
    const { charge, inquire, fence } = await serveAcquirer(t)
    for (const _ of [1, 2]) {
      const answer = await fence('order-1')
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, { orderId: 'order-1', status: 'void' })
    }
    for (const change of [{}, { amount: 1 }, LATE, NEVER_ANSWERED, QUEUED, BOOKED_THEN_500]) {
      const answer = await charge('order-1', change)
      assert.equal(answer.status, 409)
      assert.deepEqual(answer.body, { error: 'order_void' })
    }
    const inquired = await inquire('order-1')
    assert.equal(inquired.status, 200)
    assert.deepEqual(inquired.body, { orderId: 'order-1', status: 'void' })
  })

  test('a charge whose request was half sent when its order id was fenced is refused', async (t) => {
    const { port, inquire, fence } = await serveAcquirer(t)
    const body = chargeBody()
    const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/acquirer/v1/orders/order-1/charge' })
    sending.write(body.slice(0, 40))
    await once(sending, 'socket')
    assert.equal((await inquire('order-1')).status, 404)
    assert.equal((await fence('order-1')).status, 200)
    sending.end(body.slice(40))
    const status = await new Promise((resolve, reject) => {
      sending.once('response', (response) => resolve(response.resume().statusCode))
      sending.once('error', reject)
    })
    assert.equal(status, 409)
    assert.equal(field((await inquire('order-1')).body, 'status'), 'void')
  })

  test('an order that was charged or declined cannot be fenced', async (t) => {
    const { charge, fence, inquire } = await serveAcquirer(t)
    await charge('charged')
    await charge('declined', { card: { number: '4100000000750001' } })
    for (const status of ['charged', 'declined']) {
      const answer = await fence(status)
      assert.equal(answer.status, 409)
      assert.deepEqual(answer.body, { error: 'order_exists', status })
      assert.equal(field((await inquire(status)).body, 'status'), status)
    }
  })
})
