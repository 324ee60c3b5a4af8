import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { seededRandom } from '../../proof/harness/seeded-random.ts'
import type { StoredEvent } from '../store/events.ts'
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

/** How many altered ones are tried; the proof asks for 100,000. */
const ALTERED = Number(process.env['ALTERED_WEBHOOKS'] ?? 1000)

test(`the independent library accepts none of ${ALTERED} altered bodies, ids, times and signatures`, () => {
  const { headers, body } = signedRequest(secretOf, { ...endpoint, previousUntil: null }, EVENT, NOW)
  const random = seededRandom(16)
  const altered = (text: string): string => {
    const place = random.between(0, text.length - 1)
    const kind = random.between(0, 2)
    const other = String.fromCharCode(33 + ((text.charCodeAt(place) - 33 + random.between(1, 93)) % 94))
    if (kind === 0) return text.slice(0, place) + other + text.slice(place + 1)
    return kind === 1 ? text.slice(0, place) + text.slice(place + 1) : text.slice(0, place) + other + text.slice(place)
  }
  /** The library reads a time as a number: 01795403045 and +1795403045 are no other times. */
  const alteredHeader = (name: string, value: string): string => {
    const other = altered(value)
    return name === 'webhook-timestamp' && Number(other) === Number(value) ? alteredHeader(name, value) : other
  }
  const secret = secretOf('we_1', 2)
  assert.ok(accepts(secret, headers, body))
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  let accepted = 0
  for (let each = 0; each < ALTERED; each += 1) {
    const name = names[each % 4]
    const isTaken =
      name === undefined
        ? accepts(secret, headers, altered(body))
        : accepts(secret, { ...headers, [name]: alteredHeader(name, headers[name] ?? '') }, body)
    if (isTaken) accepted += 1
  }
  assert.equal(accepted, 0)
})
