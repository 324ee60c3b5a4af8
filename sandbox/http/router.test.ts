import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargeBody, field, serveAcquirer } from '../testing/acquirer.ts'

test('the health check answers ok, and no answer may be cached', async (t) => {
  const { send } = await serveAcquirer(t)
  const health = await send('GET', '/acquirer/v1/health')
  assert.equal(health.status, 200)
  assert.deepEqual(health.body, { status: 'ok' })
  const missing = await send('GET', '/acquirer/v1/orders/none')
  for (const answer of [health, missing]) {
    assert.equal(answer.headers.get('Cache-Control'), 'no-store')
    assert.equal(answer.headers.get('Content-Type'), 'application/json')
  }
})

test('a path outside the API is not found', async (t) => {
  const { send } = await serveAcquirer(t)
  for (const path of ['/', '/acquirer/v2/orders', '/acquirer/v1/orders/a/charge/b', '//', '/orders']) {
    const answer = await send('GET', path)
    assert.equal(answer.status, 404, path)
    assert.deepEqual(answer.body, { error: 'not_found' })
  }
})

test('a wrong method is refused, and the answer names the right one', async (t) => {
  const { send } = await serveAcquirer(t)
  const wrong: [string, string, string][] = [
    ['GET', '/acquirer/v1/orders/a/charge', 'POST'],
    ['DELETE', '/acquirer/v1/orders/a', 'GET'],
    ['PUT', '/acquirer/v1/orders/a/refunds/b', 'POST, GET'],
  ]
  for (const [method, path, allowed] of wrong) {
    const answer = await send(method, path)
    assert.equal(answer.status, 405, `${method} ${path}`)
    assert.deepEqual(answer.body, { error: 'method_not_allowed' })
    assert.equal(answer.headers.get('Allow'), allowed)
  }
})

const chargeBodyOfSize = (size: number): string => chargeBody().padEnd(size, ' ')

test('a body of 64 KiB is read, one byte more is refused and books nothing', async (t) => {
  const { send, inquire } = await serveAcquirer(t)
  assert.equal((await send('POST', '/acquirer/v1/orders/fits/charge', chargeBodyOfSize(65_536))).status, 200)
  const large = await send('POST', '/acquirer/v1/orders/large/charge', chargeBodyOfSize(65_537))
  assert.equal(large.status, 413)
  assert.deepEqual(large.body, { error: 'body_too_large' })
  assert.equal((await send('POST', '/acquirer/v1/orders/large/charge', chargeBodyOfSize(5_000_000))).status, 413)
  assert.equal((await inquire('large')).status, 404)
})

test('a malformed order id or refund id is refused with the name of the field', async (t) => {
  const { charge, inquire, refund } = await serveAcquirer(t)
  assert.equal((await charge('a'.repeat(64))).status, 200)
  for (const answer of [await charge('a'.repeat(65)), await inquire('a%20b'), await charge('a.b'), await inquire('')]) {
    assert.equal(answer.status, 400)
    assert.equal(field(answer.body, 'error'), 'invalid_request')
    assert.equal(field(answer.body, 'field'), 'orderId')
  }
  assert.equal(field((await refund('a', 'b'.repeat(65), 1)).body, 'field'), 'refundId')
})
