import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptState } from './attempt.ts'
import { afterCountedDecline } from './decline-limit.ts'
import { ATTEMPT_STATES, attemptIn, checkoutIn, NOW } from './testing/records.ts'

const { refused } = ATTEMPT_STATES
const DECLINED: AttemptState = { name: 'declined', reason: '' }
const statusAfter = (states: readonly AttemptState[]) =>
  afterCountedDecline(
    checkoutIn({ status: 'open' }),
    states.map((state) => attemptIn(state)),
    NOW,
  ).state

test('the fifth counted decline closes a checkout, the fourth does not', () => {
  assert.deepEqual(statusAfter([DECLINED, DECLINED, DECLINED]), { status: 'open' })
  assert.deepEqual(statusAfter([DECLINED, refused, DECLINED, refused]), { status: 'failed', closedAt: NOW })
})

test('an attempt that the acquirer did not decline and the issuer did not refuse does not count', () => {
  const others: readonly AttemptState[] = [
    { ...refused, counted: false },
    { name: 'not_charged' },
    { name: 'abandoned', why: 'authentication unavailable' },
    { name: 'challenged' },
  ]
  assert.deepEqual(statusAfter([DECLINED, DECLINED, DECLINED, ...others]), { status: 'open' })
})
