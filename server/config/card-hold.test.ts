import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCardHoldConfig } from './card-hold.ts'
import { Problem, type Environment } from './readers.ts'

const SHARED = {
  CARD_HOLD_URL: 'rediss://hold.example.com',
  CARD_HOLD_KEYS_FILE: '/run/keys',
  DATABASE_URL: 'postgresql://db/kaikei',
  SECRET_KEY: '0123456789abcdef'.repeat(2),
}

const problemOf = (env: Environment): string => {
  try {
    readCardHoldConfig(env)
    return 'taken'
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

test('without an address cards are held in memory; with one, keys, a shared database and one secret key belong to it', () => {
  assert.equal(readCardHoldConfig({}), null)
  const shared = readCardHoldConfig(SHARED)
  assert.deepEqual([shared?.keysFile, shared?.timeoutMs, shared?.address.tls], ['/run/keys', 2500, true])
  assert.match(problemOf({ ...SHARED, CARD_HOLD_KEYS_FILE: '' }), /without CARD_HOLD_KEYS_FILE/)
  assert.match(problemOf({ ...SHARED, CARD_HOLD_URL: '' }), /without CARD_HOLD_URL/)
  assert.match(problemOf({ ...SHARED, DATABASE_URL: '' }), /without DATABASE_URL/)
  assert.match(problemOf({ ...SHARED, SECRET_KEY: '' }), /without SECRET_KEY.* set SECRET_KEY on all of them/)
})

test('the timeout of the hold is 50 to 10,000 ms', () => {
  for (const CARD_HOLD_TIMEOUT_MS of ['50', '10000'])
    assert.equal(problemOf({ ...SHARED, CARD_HOLD_TIMEOUT_MS }), 'taken')
  for (const CARD_HOLD_TIMEOUT_MS of ['49', '10001', '1.5e2.'])
    assert.match(problemOf({ ...SHARED, CARD_HOLD_TIMEOUT_MS }), /^CARD_HOLD_TIMEOUT_MS is /)
})

test('an address that is refused is named by its variable, and its password is not said', () => {
  const problem = problemOf({ ...SHARED, CARD_HOLD_URL: 'redis://u:hunter2@hold.example.com' })
  assert.match(problem, /^CARD_HOLD_URL is without TLS/)
  assert.doesNotMatch(problem, /hunter2/)
})
