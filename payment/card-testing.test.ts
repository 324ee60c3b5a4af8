import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ABANDON_REASONS, type AttemptState } from './attempt.ts'
import {
  CARD_TESTING_LIMITS,
  CARD_WINDOW_MS,
  velocityTime,
  isCardAllowed,
  velocityOutcome,
  shopOutcome,
  type VelocityOutcome,
  type ShopOutcome,
} from './card-testing.ts'
import { ATTEMPT_STATES, attemptIn, authentication, NOW, receipt } from './testing/records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const { live, test: inTest } = CARD_TESTING_LIMITS

test('every attempt that ends without a payment counts, and what nobody outside answered does not', () => {
  const expected: Record<AttemptState['name'], VelocityOutcome> = {
    started: 'open',
    authenticating: 'open',
    challenged: 'open',
    authenticated: 'open',
    charging: 'open',
    charged: 'paid',
    refused: 'unpaid',
    declined: 'unpaid',
    abandoned: 'unpaid',
    unknown: 'unanswered',
    not_charged: 'unanswered',
  }
  for (const state of Object.values(ATTEMPT_STATES))
    assert.equal(velocityOutcome(state), expected[state.name], state.name)
  for (const why of ABANDON_REASONS)
    assert.equal(
      velocityOutcome({ name: 'abandoned', why }),
      why === 'authentication unavailable' ? 'unanswered' : 'unpaid',
      why,
    )
})

test('for its shop an attempt counts by what an issuer or the acquirer was asked and answered, not by what we or its shopper did', () => {
  const expected: Record<AttemptState['name'], ShopOutcome | null> = {
    started: null,
    authenticating: 'asked',
    challenged: 'challenged',
    authenticated: null,
    charging: 'asked',
    charged: 'paid',
    refused: 'refused',
    declined: 'declined',
    abandoned: null,
    unknown: 'uncounted',
    not_charged: 'uncounted',
  }
  for (const state of Object.values(ATTEMPT_STATES))
    assert.equal(shopOutcome(attemptIn(state)), expected[state.name], state.name)
  const { authenticating, charging, refused } = ATTEMPT_STATES
  assert.equal(shopOutcome(attemptIn(authenticating, { challengeDemanded: true })), 'challenged')
  assert.equal(shopOutcome(attemptIn({ ...charging, clearance: authentication, receipt })), null)
  assert.equal(shopOutcome(attemptIn({ ...refused, counted: false })), 'uncounted', 'a refusal of our own')
  for (const why of ABANDON_REASONS)
    assert.equal(
      shopOutcome(attemptIn({ name: 'abandoned', why })),
      why === 'authentication unavailable' ? 'uncounted' : null,
      why,
    )
})

describe('a card', () => {
  const asked = (count: number, at: number): number[] => Array.from({ length: count }, () => at)
  const isAllowed = (...times: number[][]) => isCardAllowed(times.flat(), live.card, NOW)

  test('may be asked about four times in an hour and eight times in a day', () => {
    assert.equal(isAllowed(asked(3, NOW)), true)
    assert.equal(isAllowed(asked(4, NOW)), false)
    assert.equal(isAllowed(asked(4, NOW - HOUR)), true)
    assert.equal(isAllowed(asked(4, NOW - HOUR), asked(3, NOW)), true)
    assert.equal(isAllowed(asked(5, NOW - HOUR), asked(3, NOW)), false)
    assert.equal(isAllowed(asked(5, NOW - CARD_WINDOW_MS), asked(3, NOW)), true)
  })

  test('is not counted on a test checkout, where everybody uses the same numbers', () => {
    assert.equal(isCardAllowed(asked(1000, NOW), inTest.card, NOW), true)
  })

  test('is remembered with a time that does not lead to its attempt, and never for too short a while', () => {
    const times = Array.from({ length: 600 }, (_, second) => velocityTime(NOW + second * 1000))
    assert.ok(new Set(times).size <= 2)
    for (const [second, at] of times.entries())
      assert.ok(at >= NOW + second * 1000 && at < NOW + second * 1000 + 600_000)
  })
})
