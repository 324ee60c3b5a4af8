import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { offerAltered } from '../../proof/harness/altered-webhooks.ts'
import type { StoredEvent } from '../store/outbox/events.ts'
import { createWebhookSecret, signedRequest } from './signature.ts'

const NOW = Date.parse('2026-11-23T03:04:05.678Z')
const DAY_MS = 86_400_000
const secretOf = createWebhookSecret('k'.repeat(64))
const EVENT: StoredEvent = {
  merchantId: 'tea-id',
  id: `evt_${'a'.repeat(32)}`,
  mode: 'test',
  type: 'checkout.paid',
  sequence: 1,
  data: {},
  createdAt: NOW - 1000,
}
const endpoint = { id: 'we_1', generation: 2, previousUntil: NOW + DAY_MS }

/** Whether the independent library takes it; it reads the clock itself. */
const accepts = (secret: string, headers: Readonly<Record<string, string>>, body: string, now = NOW): boolean => {
  mock.timers.enable({ apis: ['Date'], now })
  try {
    new Webhook(secret).verify(body, { ...headers })
    return true
  } catch {
    return false
  } finally {
    mock.timers.reset()
  }
}

test('a secret is 32 bytes in the form of Standard Webhooks, another for each endpoint, generation and key', () => {
  const secret = secretOf('we_1', 1)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(secretOf('we_1', 1), secret)
  const others = [secretOf('we_2', 1), secretOf('we_1', 2), secretOf('we_11', 1), createWebhookSecret('x')('we_1', 1)]
  assert.equal(new Set([secret, ...others]).size, 5)
})

test('the independent library accepts both generations for a day, and then the new one alone', () => {
  const at = (now: number) => {
    const { headers, body } = signedRequest(secretOf, endpoint, EVENT, now)
    return [1, 2, 3].map((generation) => accepts(secretOf('we_1', generation), headers, body, now))
  }
  assert.deepEqual(at(NOW), [true, true, false])
  assert.deepEqual(at(NOW + DAY_MS - 1), [true, true, false])
  assert.deepEqual(at(NOW + DAY_MS), [false, true, false])
  const never = signedRequest(secretOf, { ...endpoint, previousUntil: null }, EVENT, NOW)
  assert.equal(never.headers['webhook-signature']?.split(' ').length, 1)
})

test('who rolls twice in a day still verifies with the secret before the first of them; five sign at most', () => {
  const accepted = (generation: number) => {
    const { headers, body } = signedRequest(secretOf, { ...endpoint, generation }, EVENT, NOW)
    return [1, 2, 3, 4, 5, 6].filter((each) => accepts(secretOf('we_1', each), headers, body))
  }
  assert.deepEqual([1, 3, 5, 6].map(accepted), [[1], [1, 2, 3], [1, 2, 3, 4, 5], [2, 3, 4, 5, 6]])
})

test('the body is the event, its time that of the event, and the header that of the try', () => {
  const { headers, body } = signedRequest(secretOf, endpoint, EVENT, NOW)
  assert.deepEqual(JSON.parse(body), {
    id: EVENT.id,
    type: 'checkout.paid',
    timestamp: '2026-11-23T03:04:04.678Z',
    mode: 'test',
    sequence: 1,
    data: {},
  })
  assert.deepEqual([headers['webhook-id'], headers['webhook-timestamp']], [EVENT.id, '1795403045'])
  assert.ok(!EVENT.id.includes('.'))
})

/** `npm run prove -- webhooks` offers 100,000. */
const ALTERED = 1000

test(`the independent library accepts none of ${ALTERED} altered bodies, ids, times and signatures`, () => {
  const signed = signedRequest(secretOf, { ...endpoint, previousUntil: null }, EVENT, NOW)
  assert.deepEqual(offerAltered({ ...signed, secret: secretOf('we_1', 2), now: NOW }, ALTERED, 16), {
    isTrueOneTaken: true,
    accepted: 0,
  })
})
