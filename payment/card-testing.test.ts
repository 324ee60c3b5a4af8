import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ABANDON_REASONS, type AttemptState } from './attempt.ts'
import {
  ADDRESS_WINDOW_MS,
  brakeFrom,
  CARD_TESTING_LIMITS,
  CARD_WINDOW_MS,
  cardQuestionTime,
  decideAddress,
  isBraked,
  isCardAllowed,
  isUnderAttack,
  questionOutcome,
  type Question,
  type QuestionOutcome,
} from './card-testing.ts'
import { ATTEMPT_STATES, NOW } from './testing/records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const { live, test: inTest } = CARD_TESTING_LIMITS

const times = (count: number, outcome: QuestionOutcome, askedAt = NOW - MINUTE): Question[] =>
  Array.from({ length: count }, () => ({ askedAt, outcome }))

test('every attempt that ends without a payment counts, and what nobody outside answered does not', () => {
  const expected: Record<AttemptState['name'], QuestionOutcome> = {
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
    void: 'unanswered',
  }
  for (const state of Object.values(ATTEMPT_STATES))
    assert.equal(questionOutcome(state), expected[state.name], state.name)
  for (const why of ABANDON_REASONS)
    assert.equal(
      questionOutcome({ name: 'abandoned', why }),
      why === 'authentication unavailable' ? 'unanswered' : 'unpaid',
      why,
    )
})

describe('an address', () => {
  const decide = (...questions: readonly Question[][]) => decideAddress(questions.flat(), live.address, NOW)

  test('may ask about ten cards in an hour that end without a payment, and not about an eleventh', () => {
    assert.equal(decide(times(9, 'unpaid')).allowed, true)
    assert.equal(decide(times(10, 'unpaid')).allowed, false)
  })

  test('may ask again when the oldest of them is an hour old, and is told when that will be', () => {
    const oldest = NOW - HOUR + 90_000
    const asked = [...times(1, 'unpaid', oldest), ...times(9, 'unpaid')]
    assert.deepEqual(decideAddress(asked, live.address, NOW), { allowed: false, retryAfterMs: 90_000 })
    assert.equal(decideAddress(asked, live.address, oldest + HOUR - 1).allowed, false)
    assert.equal(decideAddress(asked, live.address, oldest + HOUR).allowed, true)
  })

  test('has three more for each payment of the hour, so that many shoppers behind one address are not refused', () => {
    assert.equal(decide(times(1, 'paid'), times(12, 'unpaid')).allowed, true)
    assert.equal(decide(times(1, 'paid'), times(13, 'unpaid')).allowed, false)
    assert.equal(decide(times(1, 'paid', NOW - HOUR), times(10, 'unpaid')).allowed, false)
    assert.equal(decide(times(200, 'paid'), times(300, 'unpaid')).allowed, true)
  })

  test('may have thirty payments under way at once, and not a thirty-first before one of them is paid', () => {
    assert.equal(decide(times(29, 'open')).allowed, true)
    assert.equal(decide(times(30, 'open')).allowed, false)
    assert.equal(decide(times(32, 'open'), times(1, 'paid')).allowed, true)
    assert.equal(decide(times(33, 'open'), times(1, 'paid')).allowed, false)
  })

  test('is charged for a start that was left alone for ten minutes, as for a decline', () => {
    assert.equal(decide(times(10, 'open', NOW - 10 * MINUTE + 1)).allowed, true)
    assert.equal(decide(times(10, 'open', NOW - 10 * MINUTE)).allowed, false)
  })

  test('asks about thirty cards without a payment in any three hours, however it spreads them', () => {
    const spread = Array.from({ length: 30 }, (_, place) => times(1, 'unpaid', NOW - 1 - place * 6 * MINUTE)).flat()
    assert.equal(decideAddress(spread.slice(1), live.address, NOW).allowed, true)
    const refused = decideAddress(spread, live.address, NOW)
    assert.deepEqual(refused, { allowed: false, retryAfterMs: Math.max(1000, ADDRESS_WINDOW_MS - 29 * 6 * MINUTE - 1) })
    assert.equal(decideAddress(spread, live.address, NOW + ADDRESS_WINDOW_MS).allowed, true)
  })

  test('is not charged for what nobody answered, nor for questions of the future after a clock was set back', () => {
    assert.equal(decide(times(100, 'unanswered')).allowed, true)
    assert.equal(decide(times(100, 'unpaid', NOW + 24 * HOUR)).allowed, true)
    assert.equal(decide(times(10, 'unpaid', NOW + 10 * MINUTE)).allowed, false)
  })

  test('has tenfold room for test checkouts', () => {
    assert.equal(decideAddress(times(99, 'unpaid'), inTest.address, NOW).allowed, true)
    assert.equal(decideAddress(times(100, 'unpaid'), inTest.address, NOW).allowed, false)
    assert.equal(decideAddress(times(299, 'open'), inTest.address, NOW).allowed, true)
    assert.equal(decideAddress(times(300, 'open'), inTest.address, NOW).allowed, false)
  })
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
    const times = Array.from({ length: 600 }, (_, second) => cardQuestionTime(NOW + second * 1000))
    assert.ok(new Set(times).size <= 2)
    for (const [second, at] of times.entries())
      assert.ok(at >= NOW + second * 1000 && at < NOW + second * 1000 + 600_000)
  })
})

describe('a merchant', () => {
  test('is under attack from twenty unpaid questions on, where they are at least half of all', () => {
    assert.equal(isUnderAttack({ paid: 0, unpaid: 19 }, live.merchant), false)
    assert.equal(isUnderAttack({ paid: 0, unpaid: 20 }, live.merchant), true)
    assert.equal(isUnderAttack({ paid: 20, unpaid: 20 }, live.merchant), true)
    assert.equal(isUnderAttack({ paid: 21, unpaid: 20 }, live.merchant), false)
    assert.equal(isUnderAttack({ paid: 0, unpaid: 199 }, inTest.merchant), false)
    assert.equal(isUnderAttack({ paid: 0, unpaid: 200 }, inTest.merchant), true)
  })

  test('is braked for thirty minutes, prolonged while the attack goes on, and not at every decline', () => {
    const until = brakeFrom(0, NOW)
    assert.equal(until, NOW + 30 * MINUTE)
    assert.equal(isBraked(NOW + 30 * MINUTE, NOW + 30 * MINUTE - 1), true)
    assert.equal(isBraked(NOW + 30 * MINUTE, NOW + 30 * MINUTE), false)
    assert.equal(brakeFrom(NOW + 30 * MINUTE, NOW + 10 * MINUTE), null)
    assert.equal(brakeFrom(NOW + 30 * MINUTE, NOW + 10 * MINUTE + 1), NOW + 40 * MINUTE + 1)
  })
})
