import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInFlight, recordedWord, type Attempt, type AttemptState, type AttemptStateName } from './attempt.ts'
import { IMMEDIATE_ANSWER_MS, applyChargeAnswer, type ChargeAnswer, type ChargeConsequences } from './charge.ts'
import { decideClaim, decideWithoutLock, type ClaimDecision } from './claim-charge.ts'
import type { Checkout } from './checkout.ts'
import {
  ATTEMPT_STATES as attemptStates,
  attemptIn,
  CHECKOUT_STATES as checkoutStates,
  checkoutIn,
  DEADLINE,
  decisionOf,
  declines,
  NOW,
  receipt,
  UNCLEARED,
} from './testing/records.ts'

const open = checkoutIn(checkoutStates.open)
const openSnapshot = { checkout: open, inFlight: null }
const others = [
  null,
  attemptIn(attemptStates.charging, { orderCode: 'o2' }),
  attemptIn(attemptStates.unknown, { orderCode: 'o2' }),
]
const command = { receipt, cardHeld: true, requireChallenge: false, leaseUntil: NOW + 35_000, now: NOW }

/** A challenge that its card holder left. */
const UNFINISHED: AttemptState = { ...attemptStates.refused, counted: false, unfinished: true }

/** What the store can never hold stops the transaction instead of being answered. */
const decisionOrStopped = (decide: () => ClaimDecision): string => {
  try {
    return decisionOf(decide())
  } catch {
    return 'stopped'
  }
}

/** What pay decides on an open checkout without another payment: in time with the card held, without it, and too late. */
const claims: readonly (readonly [AttemptState, held: string, notHeld: string, late: string])[] = [
  [attemptStates.started, 'claim', 'no card', 'closed'],
  [UNCLEARED, 'authentication_unfinished', 'authentication_unfinished', 'closed'],
  [attemptStates.authenticating, 'authentication_unfinished', 'authentication_unfinished', 'closed'],
  [attemptStates.challenged, 'authentication_unfinished', 'authentication_unfinished', 'closed'],
  [attemptStates.authenticated, 'claim', 'no card', 'closed'],
  [attemptStates.refused, 'card_declined', 'card_declined', 'closed'],
  [UNFINISHED, 'authentication_unfinished', 'authentication_unfinished', 'closed'],
  [attemptStates.charging, 'wait', 'wait', 'wait'],
  [attemptStates.unknown, 'wait', 'wait', 'wait'],
  [attemptStates.charged, 'stopped', 'stopped', 'closed'],
  [attemptStates.declined, 'card_declined', 'card_declined', 'closed'],
  [attemptStates.not_charged, 'nothing_charged', 'nothing_charged', 'closed'],
  [attemptStates.abandoned, 'order_over', 'order_over', 'closed'],
]

test('without the lock only two things are certain: a closed checkout is not paid, and money in flight is waited for', () => {
  for (const state of Object.values(attemptStates))
    for (const inFlight of others) {
      const isMoving = inFlight !== null || isInFlight(state)
      const expected = isMoving ? { decision: 'wait' } : undefined
      assert.deepEqual(decideWithoutLock({ checkout: open, inFlight }, attemptIn(state)), expected)
      for (const closed of Object.values(checkoutStates).filter(({ status }) => status !== 'open'))
        assert.deepEqual(decideWithoutLock({ checkout: checkoutIn(closed), inFlight }, attemptIn(state)), {
          decision: 'closed',
        })
    }
})

test('pay claims, waits, repeats the outcome or refuses, over every attempt, other attempt in flight, status, deadline and card', () => {
  for (const [state, held, notHeld, late] of claims)
    for (const status of Object.values(checkoutStates))
      for (const inFlight of others)
        for (const now of [NOW, DEADLINE, DEADLINE + 1])
          for (const cardHeld of [true, false]) {
            const snapshot = { checkout: checkoutIn(status), inFlight }
            const alone = now > DEADLINE ? late : cardHeld ? held : notHeld
            const expected = status.status !== 'open' ? 'closed' : inFlight !== null ? 'wait' : alone
            const label = `${state.name}, ${status.status}, ${inFlight?.state.name}, ${now - DEADLINE}, ${cardHeld}`
            const decide = () => decideClaim(snapshot, attemptIn(state), { ...command, cardHeld, now })
            assert.equal(decisionOrStopped(decide), expected, label)
          }
})

test('an order code that this checkout does not have is refused, whatever the status of the checkout', () => {
  for (const status of Object.values(checkoutStates))
    for (const inFlight of others)
      for (const now of [NOW, DEADLINE + 1])
        assert.equal(
          decisionOf(decideClaim({ checkout: checkoutIn(status), inFlight }, null, { ...command, now })),
          'order_not_found',
        )
})

test('a claimed attempt carries its clearance, where to send the receipt, the time of the claim and the lease, and keeps its order code', () => {
  for (const state of [attemptStates.started, attemptStates.authenticated]) {
    const { clearance } = state
    assert.deepEqual(decideClaim(openSnapshot, attemptIn(state), command), {
      decision: 'claim',
      attempt: attemptIn({ name: 'charging', clearance, receipt, claimedAt: NOW, leaseUntil: NOW + 35_000 }),
    })
  }
})

test('while a challenge is required, an attempt that its issuer only attempted or that is exempt is given up, and one that it authenticated is charged', () => {
  const challengeRequired = { ...command, requireChallenge: true }
  const { clearance } = attemptStates.authenticated
  for (const state of [attemptStates.started, attemptStates.authenticated])
    assert.equal(decisionOf(decideClaim(openSnapshot, attemptIn(state), challengeRequired)), 'order_over')
  const fully = { ...clearance, authentication: { ...clearance.authentication, transStatus: 'Y' } } as const
  const authenticated = attemptIn({ name: 'authenticated', clearance: fully })
  assert.equal(decisionOf(decideClaim(openSnapshot, authenticated, challengeRequired)), 'claim')
})

test('an attempt for another amount than its checkout is never charged', () => {
  for (const amountYen of [1979, 1981]) {
    const attempt = attemptIn(attemptStates.authenticated, { amountYen })
    assert.equal(decisionOf(decideClaim(openSnapshot, attempt, command)), 'order_over')
  }
})

const charged = { outcome: 'charged', transactionId: 't9', approvedAt: NOW - 500, amountYen: 1980 } as const
const declined = { outcome: 'declined', reason: 'insufficient funds' } as const
const notCharged = { outcome: 'not_charged' } as const
const lost = { outcome: 'unknown', why: 'connection lost' } as const
const pending = { outcome: 'pending' } as const
const answers: readonly ChargeAnswer[] = [charged, { ...charged, amountYen: 1 }, declined, notCharged, lost, pending]
const attemptsInFlight = [attemptIn(attemptStates.charging), attemptIn(attemptStates.unknown)]

interface Circumstances {
  readonly checkout?: Checkout
  readonly declinesBefore?: number
  readonly otherInFlight?: Attempt
  readonly now?: number
}

const invoiceIssuer = { registrationNumber: 'T1234567890123', name: '青山茶舗' }

const consequencesOf = (
  attempt: Attempt,
  answer: ChargeAnswer,
  { checkout = open, declinesBefore = 4, otherInFlight, now = NOW }: Circumstances = {},
): ChargeConsequences => {
  const inFlight = isInFlight(attempt.state) ? attempt : (otherInFlight ?? null)
  const snapshot = { checkout, inFlight, attempts: [...declines(declinesBefore), attempt] }
  return applyChargeAnswer(snapshot, attempt, { answer, receipt, invoiceIssuer, now })
}

const payment = {
  orderCode: 'o1',
  transactionId: 't9',
  paidAt: NOW - 500,
  card: attemptIn(UNCLEARED).card,
  invoiceIssuer,
}
/** The attempt is charged, the checkout paid, the charge booked, the receipt written. */
const paid: ChargeConsequences = {
  attempt: attemptIn({ name: 'charged', receipt, transactionId: 't9', approvedAt: NOW - 500 }),
  checkout: checkoutIn({ status: 'paid', payment }),
  message: { kind: 'paid', payment, receipt },
}
const nothingCharged = { kind: 'nothing charged', receipt } as const

test('a charge of the right amount pays the checkout, also after the deadline and after a doubt', () => {
  for (const attempt of attemptsInFlight)
    for (const now of [NOW, DEADLINE + 1, DEADLINE + 3_600_000])
      assert.deepEqual(consequencesOf(attempt, charged, { now }), paid)
})

test('a charge of another amount keeps the doubt and raises an alarm', () => {
  for (const amountYen of [1979, 1981, 0, 198_000]) {
    const alarm = `the acquirer charged ${amountYen} yen instead of 1980`
    const answer = { ...charged, amountYen }
    const newDoubt = {
      name: 'unknown',
      receipt,
      why: alarm,
      since: NOW,
      inquiries: 0,
      nextInquiryAt: NOW + 1000,
    } as const
    assert.deepEqual(consequencesOf(attemptIn(attemptStates.charging), answer), {
      attempt: attemptIn(newDoubt),
      checkout: open,
      alarm,
    })
    const doubted = attemptIn(attemptStates.unknown)
    assert.deepEqual(consequencesOf(doubted, answer), { attempt: doubted, checkout: open, alarm })
  }
})

test('the fourth decline leaves the checkout open and the fifth closes it as failed', () => {
  for (const attempt of attemptsInFlight)
    for (const declinesBefore of [0, 1, 2, 3, 4, 5, 19]) {
      const { attempt: next, checkout } = consequencesOf(attempt, declined, { declinesBefore, now: NOW + 7 })
      assert.deepEqual(next, attemptIn({ name: 'declined', reason: 'insufficient funds' }))
      const closed = checkoutIn({ status: 'failed', closedAt: NOW + 7 })
      assert.deepEqual(checkout, declinesBefore < 4 ? open : closed, `${declinesBefore} declines before`)
    }
})

test('a fenced order is not charged, counts as no decline and leaves the checkout open', () => {
  for (const attempt of attemptsInFlight)
    for (const declinesBefore of [0, 4, 5]) {
      const { attempt: next, checkout } = consequencesOf(attempt, notCharged, { declinesBefore })
      assert.deepEqual([next, checkout], [attemptIn(attemptStates.not_charged), open])
    }
})

test('a charge without an outcome becomes a doubt with its reason, and is never a failure', () => {
  const reasons: readonly (readonly [ChargeAnswer, string])[] = [
    [lost, 'connection lost'],
    [pending, 'the acquirer has not decided yet'],
  ]
  for (const [answer, why] of reasons) {
    const unknown = { name: 'unknown', receipt, why, since: NOW + 7, inquiries: 0, nextInquiryAt: NOW + 1007 } as const
    const consequences = consequencesOf(attemptIn(attemptStates.charging), answer, { now: NOW + 7 })
    assert.deepEqual(consequences, { attempt: attemptIn(unknown), checkout: open })
  }
})

test('a doubt stays unchanged while the acquirer has not decided or does not answer', () => {
  const attempt = attemptIn(attemptStates.unknown)
  for (const answer of [lost, pending])
    assert.deepEqual(consequencesOf(attempt, answer, { now: DEADLINE + 1 }), { attempt, checkout: open })
})

test('a charge that ended without money sends its shopper a mail after a late answer or a doubt, and none when it was answered at once', () => {
  const { charging, unknown } = attemptStates
  for (const answer of [declined, notCharged]) {
    const at = (now: number) => consequencesOf(attemptIn(charging), answer, { now }).message
    assert.equal(at(charging.claimedAt), undefined)
    assert.equal(at(charging.claimedAt + IMMEDIATE_ANSWER_MS), undefined)
    assert.deepEqual(at(charging.claimedAt + IMMEDIATE_ANSWER_MS + 1), nothingCharged)
    assert.deepEqual(consequencesOf(attemptIn(unknown), answer).message, nothingCharged)
  }
})

const over = Object.values(attemptStates).filter((state) => !isInFlight(state))
const ended: readonly AttemptStateName[] = ['charged', 'declined', 'not_charged']

/** Whether an answer contradicts an attempt that is not in flight: before a claim any does, after its end the opposite. */
const contradicts = ({ name }: AttemptState, { outcome }: ChargeAnswer): boolean => {
  if (!ended.includes(name)) return true
  return name === 'charged' ? outcome === 'declined' || outcome === 'not_charged' : outcome === 'charged'
}

const contradiction = (outcome: string, { name }: AttemptState): string =>
  `the acquirer says ${recordedWord(outcome)} of an attempt that is ${recordedWord(name)}`

test('an answer about an attempt that is not in flight changes no closed checkout; one that contradicts our record raises an alarm', () => {
  for (const state of over)
    for (const status of Object.values(checkoutStates).filter(({ status: name }) => name !== 'open'))
      for (const answer of answers) {
        const [checkout, attempt] = [checkoutIn(status), attemptIn(state)]
        const alarm = contradiction(answer.outcome, state)
        assert.deepEqual(consequencesOf(attempt, answer, { checkout }), {
          checkout,
          attempt,
          ...(contradicts(state, answer) ? { alarm } : {}),
        })
      }
})

test('a charge that our record does not have pays a checkout that is still open, and raises an alarm', () => {
  for (const state of over.filter(({ name }) => name !== 'charged')) {
    const alarm = contradiction('charged', state)
    assert.deepEqual(consequencesOf(attemptIn(state), charged), { ...paid, alarm })
    assert.deepEqual(consequencesOf(attemptIn(state), charged, { now: DEADLINE }), { ...paid, alarm })
  }
})

test('a possible charge that our record does not have is a doubt, so that the link is not paid a second time', () => {
  for (const state of over)
    for (const answer of [{ ...charged, amountYen: 1 }, lost, pending]) {
      const attempt = attemptIn(state)
      const alarm = contradiction(answer.outcome, state)
      const doubt = {
        name: 'unknown',
        receipt,
        why: alarm,
        since: NOW,
        inquiries: 0,
        nextInquiryAt: NOW + 1000,
      } as const
      const expected = contradicts(state, answer)
        ? { attempt: attemptIn(doubt), checkout: open, alarm }
        : { attempt, checkout: open }
      assert.deepEqual(consequencesOf(attempt, answer), expected, `${answer.outcome}, ${state.name}`)
    }
})

test('a decline of an attempt that is not in flight changes nothing, and raises an alarm where it contradicts our record', () => {
  for (const state of over)
    for (const answer of [declined, notCharged]) {
      const alarm = contradiction(answer.outcome, state)
      assert.deepEqual(consequencesOf(attemptIn(state), answer), {
        attempt: attemptIn(state),
        checkout: open,
        ...(contradicts(state, answer) ? { alarm } : {}),
      })
    }
})

test('while another attempt is in flight, and past the deadline, a charge that contradicts our record only raises an alarm', () => {
  const circumstances: readonly Circumstances[] = [
    ...attemptsInFlight.map((otherInFlight) => ({ otherInFlight })),
    { now: DEADLINE + 1 },
  ]
  for (const state of over.filter(({ name }) => name !== 'charged'))
    for (const each of circumstances) {
      const attempt = attemptIn(state)
      const alarm = contradiction('charged', state)
      assert.deepEqual(consequencesOf(attempt, charged, each), { attempt, checkout: open, alarm })
    }
})

test('a charge in flight of a checkout that is no longer open stops the transaction instead of paying it twice', () => {
  for (const attempt of attemptsInFlight)
    for (const status of Object.values(checkoutStates).filter((state) => state.status !== 'open'))
      assert.throws(
        () => consequencesOf(attempt, charged, { checkout: checkoutIn(status) }),
        /^Error: a checkout cannot go from/,
      )
})
