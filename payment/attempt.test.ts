import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clearanceOf,
  startDoubt,
  inquiryDue,
  isBeforeIssuerAnswer,
  isInFlight,
  transitionAttempt,
  needsCard,
  type AttemptState,
  type AttemptStateName,
} from './attempt.ts'
import type { Clearance } from './authentication-verdict.ts'
import {
  ATTEMPT_STATES as states,
  attemptIn,
  authentication,
  exemption,
  NOW as T0,
  receipt,
} from './testing/records.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** One row a state, one column a next state, in the order of the rows. */
const transitions: Record<AttemptStateName, string> = {
  started: 'xx..xx....x',
  authenticating: '..xxx.....x',
  challenged: '...xx.....x',
  authenticated: '.....x....x',
  refused: '...........',
  charging: '......xxxx.',
  unknown: '......xxxx.',
  charged: '...........',
  declined: '...........',
  not_charged: '...........',
  abandoned: '...........',
}
const rows = Object.entries(transitions)

test('an attempt makes only the transitions that its table allows, over every pair of states', () => {
  assert.deepEqual(
    rows.map(([name]) => name),
    Object.keys(states),
  )
  for (const from of Object.values(states)) {
    for (const [column, to] of Object.values(states).entries()) {
      const attempt = attemptIn(from)
      if (transitions[from.name][column] === 'x') {
        assert.deepEqual(transitionAttempt(attempt, to), { ...attempt, state: to }, `${from.name} to ${to.name}`)
      } else {
        const message = `an attempt cannot go from ${from.name} to ${to.name}`
        assert.throws(() => transitionAttempt(attempt, to), { message }, message)
      }
    }
  }
})

test('only a started or an authenticated attempt can be charged', () => {
  const sources = rows.filter(([, row]) => row[5] === 'x').map(([name]) => name)
  assert.deepEqual(sources, ['started', 'authenticated'])
})

test('money may be moving while an attempt is charging or unknown, and at no other time', () => {
  const inFlight = Object.values(states).filter(isInFlight)
  assert.deepEqual(
    inFlight.map(({ name }) => name),
    ['charging', 'unknown'],
  )
})

test('an attempt is cleared for charging by its exemption or its authentication, before it is charged', () => {
  const cleared = new Map<AttemptStateName, Clearance>([
    ['started', exemption],
    ['authenticated', authentication],
  ])
  for (const state of Object.values(states))
    assert.equal(clearanceOf(state), cleared.get(state.name) ?? null, state.name)
  assert.equal(clearanceOf({ name: 'started', clearance: null }), null)
})

test('the issuer has not answered while an attempt is started or authenticating, and at no other time', () => {
  const before = Object.values(states).filter(isBeforeIssuerAnswer)
  assert.deepEqual(
    before.map(({ name }) => name),
    ['started', 'authenticating'],
  )
})

test('a card may be needed until its charge is answered or in doubt, and never after an attempt has ended', () => {
  const needing = Object.values(states).filter(needsCard)
  assert.deepEqual(
    needing.map(({ name }) => name),
    ['started', 'authenticating', 'challenged', 'authenticated', 'charging'],
  )
})

/** A doubt in virtual time in which every inquiry gets no answer: the times at which it is inquired. */
const inquiriesOf = (beginning: AttemptState, count: number): number[] => {
  const inquiredAt: number[] = []
  let attempt = attemptIn(beginning)
  while (inquiredAt.length < count) {
    assert.ok(attempt.state.name === 'unknown')
    const due = attempt.state.nextInquiryAt
    assert.equal(inquiryDue(attempt, due - 1), undefined)
    const taken = inquiryDue(attempt, due)
    assert.ok(taken !== undefined)
    assert.equal(inquiryDue(taken, due), undefined, 'a second reader must not inquire at the same moment')
    attempt = taken
    inquiredAt.push(due)
  }
  return inquiredAt
}

test('a charge in doubt is inquired after 1 s, 5 s, 30 s, 2 min, 10 min, and then every hour', () => {
  const inquiredAt = inquiriesOf(startDoubt(receipt, 'no answer in time', T0), 8)
  const seconds = inquiredAt.map((instant) => (instant - T0) / SECOND)
  assert.deepEqual(seconds, [1, 5, 30, 120, 600, 600 + 3600, 600 + 7200, 600 + 10_800])
})

test('a doubt starts with its reason, its time and where to send the receipt', () => {
  assert.deepEqual(startDoubt(receipt, 'HTTP 500', T0), {
    name: 'unknown',
    receipt,
    why: 'HTTP 500',
    since: T0,
    inquiries: 0,
    nextInquiryAt: T0 + SECOND,
  })
})

test('each inquiry is counted and sets the time of the next, and changes nothing else about the doubt', () => {
  const next = { ...states.unknown, inquiries: 1, nextInquiryAt: T0 + 5 * SECOND }
  assert.deepEqual(inquiryDue(attemptIn(states.unknown), T0 + SECOND), attemptIn(next))
})

test('after a long downtime the missed inquiries are made a second apart, not all at once', () => {
  const late = T0 + 20 * MINUTE
  const taken = inquiryDue(attemptIn(states.unknown), late)
  assert.ok(taken !== undefined)
  const inquiredAt = inquiriesOf(taken.state, 5).map((instant) => instant - late)
  assert.deepEqual(inquiredAt, [SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND, 4 * SECOND + HOUR])
})

test('a charge under way is not inquired up to the last millisecond of its lease, and is in doubt one millisecond after', () => {
  const leaseUntil = T0 + 35 * SECOND
  const charging = attemptIn(states.charging)
  for (const now of [T0, leaseUntil - 1, leaseUntil]) assert.equal(inquiryDue(charging, now), undefined)
  const passed = leaseUntil + 1
  const taken = inquiryDue(charging, passed)
  assert.ok(taken !== undefined)
  assert.deepEqual(taken.state, {
    name: 'unknown',
    receipt,
    why: 'lease passed',
    since: passed,
    inquiries: 1,
    nextInquiryAt: passed + 5 * SECOND,
  })
  assert.deepEqual(
    inquiriesOf(taken.state, 5).map((instant) => instant - passed),
    [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 10 * MINUTE + HOUR],
  )
})

test('an attempt that is not in flight never needs an inquiry', () => {
  for (const state of Object.values(states).filter((each) => !isInFlight(each)))
    assert.equal(inquiryDue(attemptIn(state), T0 + 1000 * HOUR), undefined, state.name)
})
