import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInFlight, type Attempt, type AttemptState, type AttemptStateName } from './attempt.ts'
import {
  IMMEDIATE_ANSWER_MS,
  decideClaim,
  applyChargeAnswer,
  type ChargeAnswer,
  type ClaimDecision,
  type ChargeConsequences,
} from './charge.ts'
import type { Checkout } from './checkout.ts'
import {
  ATTEMPT_STATES as attemptStates,
  attemptIn,
  CHECKOUT_STATES as checkoutStates,
  checkoutIn,
  DEADLINE,
  declines,
  NOW,
  receipt,
  UNCLEARED,
} from './testing/records.ts'

const open = checkoutIn(checkoutStates.open)
const nothing = { checkout: open, inFlight: null }
const others = [
  null,
  attemptIn(attemptStates.charging, { orderCode: 'o2' }),
  attemptIn(attemptStates.unknown, { orderCode: 'o2' }),
]
const command = { receipt, cardHeld: true, leaseUntil: NOW + 35_000, now: NOW }

const said = (decision: ClaimDecision): string =>
  decision.decision === 'refuse' ? decision.refusal.refused : decision.decision

/** What the store can never hold stops the transaction instead of being answered. */
const saidOrStopped = (decide: () => ClaimDecision): string => {
  try {
    return said(decide())
  } catch {
    return 'stopped'
  }
}

/** What pay says of an open checkout without another payment: in time with the card held, without it, and too late. */
const claims: readonly (readonly [AttemptState, held: string, notHeld: string, late: string])[] = [
  [attemptStates.started, 'claim', 'card_not_held', 'settled'],
  [UNCLEARED, 'authentication_unfinished', 'authentication_unfinished', 'settled'],
  [attemptStates.authenticating, 'authentication_unfinished', 'authentication_unfinished', 'settled'],
  [attemptStates.challenged, 'authentication_unfinished', 'authentication_unfinished', 'settled'],
  [attemptStates.authenticated, 'claim', 'card_not_held', 'settled'],
  [attemptStates.refused, 'card_declined', 'card_declined', 'settled'],
  [attemptStates.charging, 'wait', 'wait', 'wait'],
  [attemptStates.unknown, 'wait', 'wait', 'wait'],
  [attemptStates.charged, 'stopped', 'stopped', 'settled'],
  [attemptStates.declined, 'card_declined', 'card_declined', 'settled'],
  [attemptStates.void, 'nothing_charged', 'nothing_charged', 'settled'],
  [attemptStates.abandoned, 'order_over', 'order_over', 'settled'],
]

test('pay claims, waits, repeats or refuses, over every attempt, rival, status, deadline and card', () => {
  for (const [state, held, notHeld, late] of claims)
    for (const status of Object.values(checkoutStates))
      for (const inFlight of others)
        for (const now of [NOW, DEADLINE, DEADLINE + 1])
          for (const cardHeld of [true, false]) {
            const inPlay = { checkout: checkoutIn(status), inFlight }
            const alone = now > DEADLINE ? late : cardHeld ? held : notHeld
            const expected = status.status !== 'open' ? 'settled' : inFlight !== null ? 'wait' : alone
            const scene = `${state.name}, ${status.status}, ${inFlight?.state.name}, ${now - DEADLINE}, ${cardHeld}`
            const decide = () => decideClaim(inPlay, attemptIn(state), { ...command, cardHeld, now })
            assert.equal(saidOrStopped(decide), expected, scene)
          }
})

test('an order code that this checkout does not have is refused, whatever became of the checkout', () => {
  for (const status of Object.values(checkoutStates))
    for (const inFlight of others)
      for (const now of [NOW, DEADLINE + 1])
        assert.equal(
          said(decideClaim({ checkout: checkoutIn(status), inFlight }, null, { ...command, now })),
          'order_not_found',
        )
})

test('a claimed attempt carries its clearance, the wish for a receipt, its moment and the lease, and stays the same order', () => {
  for (const state of [attemptStates.started, attemptStates.authenticated]) {
    const { clearance } = state
    assert.deepEqual(decideClaim(nothing, attemptIn(state), command), {
      decision: 'claim',
      attempt: attemptIn({ name: 'charging', clearance, receipt, claimedAt: NOW, leaseUntil: NOW + 35_000 }),
    })
  }
})

test('an attempt over another amount than the checkout is never charged', () => {
  for (const amountYen of [1979, 1981]) {
    const attempt = attemptIn(attemptStates.authenticated, { amountYen })
    assert.equal(said(decideClaim(nothing, attempt, command)), 'order_over')
  }
})

const charged = { outcome: 'charged', transactionId: 't9', approvedAt: NOW - 500, amountYen: 1980 } as const
const declined = { outcome: 'declined', reason: 'insufficient funds' } as const
const voided = { outcome: 'void' } as const
const lost = { outcome: 'unknown', why: 'connection lost' } as const
const pending = { outcome: 'pending' } as const
const words: readonly ChargeAnswer[] = [charged, { ...charged, amountYen: 1 }, declined, voided, lost, pending]
const inFlight = [attemptIn(attemptStates.charging), attemptIn(attemptStates.unknown)]

interface Scene {
  readonly checkout?: Checkout
  readonly declinesBefore?: number
  readonly rival?: Attempt
  readonly now?: number
}

const settled = (
  attempt: Attempt,
  word: ChargeAnswer,
  { checkout = open, declinesBefore = 4, rival, now = NOW }: Scene = {},
): ChargeConsequences => {
  const moving = isInFlight(attempt.state) ? attempt : (rival ?? null)
  const inPlay = { checkout, inFlight: moving, attempts: [...declines(declinesBefore), attempt] }
  return applyChargeAnswer(inPlay, attempt, { answer: word, receipt, now })
}

const payment = { orderCode: 'o1', transactionId: 't9', paidAt: NOW - 500, card: attemptIn(UNCLEARED).card }
/** The attempt is charged, the checkout paid, the charge booked, the receipt written. */
const paid: ChargeConsequences = {
  attempt: attemptIn({ name: 'charged', receipt, transactionId: 't9', approvedAt: NOW - 500 }),
  checkout: checkoutIn({ status: 'paid', payment }),
  news: { kind: 'paid', payment, receipt },
}
const nothingCharged = { kind: 'nothing charged', receipt } as const

test('a charge of the right amount pays the checkout, also when it is learned of late and in doubt', () => {
  for (const attempt of inFlight)
    for (const now of [NOW, DEADLINE + 1, DEADLINE + 3_600_000])
      assert.deepEqual(settled(attempt, charged, { now }), paid)
})

test('a charge of another amount keeps the doubt and calls a person', () => {
  for (const amountYen of [1979, 1981, 0, 198_000]) {
    const alarm = `the acquirer charged ${amountYen} yen instead of 1980`
    const word = { ...charged, amountYen }
    const newDoubt = {
      name: 'unknown',
      receipt,
      why: alarm,
      since: NOW,
      inquiries: 0,
      nextInquiryAt: NOW + 1000,
    } as const
    assert.deepEqual(settled(attemptIn(attemptStates.charging), word), {
      attempt: attemptIn(newDoubt),
      checkout: open,
      alarm,
    })
    const doubted = attemptIn(attemptStates.unknown)
    assert.deepEqual(settled(doubted, word), { attempt: doubted, checkout: open, alarm })
  }
})

test('the fourth decline leaves the checkout open and the fifth closes it as failed', () => {
  for (const attempt of inFlight)
    for (const declinesBefore of [0, 1, 2, 3, 4, 5, 19]) {
      const { attempt: next, checkout } = settled(attempt, declined, { declinesBefore, now: NOW + 7 })
      assert.deepEqual(next, attemptIn({ name: 'declined', reason: 'insufficient funds' }))
      const closed = checkoutIn({ status: 'failed', closedAt: NOW + 7 })
      assert.deepEqual(checkout, declinesBefore < 4 ? open : closed, `${declinesBefore} declines before`)
    }
})

test('a fenced order is void, counts as no decline and leaves the checkout open', () => {
  for (const attempt of inFlight)
    for (const declinesBefore of [0, 4, 5]) {
      const { attempt: next, checkout } = settled(attempt, voided, { declinesBefore })
      assert.deepEqual([next, checkout], [attemptIn(attemptStates.void), open])
    }
})

test('a charge without an outcome becomes a doubt that remembers its reason, and is never a failure', () => {
  const reasons: readonly (readonly [ChargeAnswer, string])[] = [
    [lost, 'connection lost'],
    [pending, 'the acquirer has not decided yet'],
  ]
  for (const [word, why] of reasons) {
    const unknown = { name: 'unknown', receipt, why, since: NOW + 7, inquiries: 0, nextInquiryAt: NOW + 1007 } as const
    const settlement = settled(attemptIn(attemptStates.charging), word, { now: NOW + 7 })
    assert.deepEqual(settlement, { attempt: attemptIn(unknown), checkout: open })
  }
})

test('a doubt stays the same doubt while the acquirer does not know or does not answer', () => {
  const attempt = attemptIn(attemptStates.unknown)
  for (const word of [lost, pending])
    assert.deepEqual(settled(attempt, word, { now: DEADLINE + 1 }), { attempt, checkout: open })
})

test('a charge that ended without money is written about when its shopper may have left, and not when it was answered at once', () => {
  const { charging, unknown } = attemptStates
  for (const word of [declined, voided]) {
    const at = (now: number) => settled(attemptIn(charging), word, { now }).news
    assert.equal(at(charging.claimedAt), undefined)
    assert.equal(at(charging.claimedAt + IMMEDIATE_ANSWER_MS), undefined)
    assert.deepEqual(at(charging.claimedAt + IMMEDIATE_ANSWER_MS + 1), nothingCharged)
    assert.deepEqual(settled(attemptIn(unknown), word).news, nothingCharged)
  }
})

const over = Object.values(attemptStates).filter((state) => !isInFlight(state))
const ended: readonly AttemptStateName[] = ['charged', 'declined', 'void']

/** What an attempt that is not in flight cannot have said of it: after its end its opposite, before a claim anything. */
const contradicts = ({ name }: AttemptState, { outcome }: ChargeAnswer): boolean => {
  if (!ended.includes(name)) return true
  return name === 'charged' ? outcome === 'declined' || outcome === 'void' : outcome === 'charged'
}

test('a word about an attempt that is not in flight moves no closed checkout; one that cannot be calls a person', () => {
  for (const state of over)
    for (const status of Object.values(checkoutStates).filter(({ status: name }) => name !== 'open'))
      for (const word of words) {
        const [checkout, attempt] = [checkoutIn(status), attemptIn(state)]
        const alarm = `the acquirer says ${word.outcome} of an attempt that is ${state.name}`
        assert.deepEqual(settled(attempt, word, { checkout }), {
          checkout,
          attempt,
          ...(contradicts(state, word) ? { alarm } : {}),
        })
      }
})

test('a charge that the record knows nothing of pays a checkout that is still open, and calls a person', () => {
  for (const state of over.filter(({ name }) => name !== 'charged')) {
    const alarm = `the acquirer says charged of an attempt that is ${state.name}`
    assert.deepEqual(settled(attemptIn(state), charged), { ...paid, alarm })
    assert.deepEqual(settled(attemptIn(state), charged, { now: DEADLINE }), { ...paid, alarm })
  }
})

test('what may be a charge that the record knows nothing of is a doubt, so that the link is not paid a second time', () => {
  for (const state of over)
    for (const word of [{ ...charged, amountYen: 1 }, lost, pending]) {
      const attempt = attemptIn(state)
      const alarm = `the acquirer says ${word.outcome} of an attempt that is ${state.name}`
      const doubt = {
        name: 'unknown',
        receipt,
        why: alarm,
        since: NOW,
        inquiries: 0,
        nextInquiryAt: NOW + 1000,
      } as const
      const expected = contradicts(state, word)
        ? { attempt: attemptIn(doubt), checkout: open, alarm }
        : { attempt, checkout: open }
      assert.deepEqual(settled(attempt, word), expected, `${word.outcome}, ${state.name}`)
    }
})

test('a decline of an attempt that was never claimed by the record calls a person and changes nothing', () => {
  for (const state of over)
    for (const word of [declined, voided]) {
      const alarm = `the acquirer says ${word.outcome} of an attempt that is ${state.name}`
      assert.deepEqual(settled(attemptIn(state), word), {
        attempt: attemptIn(state),
        checkout: open,
        ...(contradicts(state, word) ? { alarm } : {}),
      })
    }
})

test('beside money that may be moving, and past the deadline, a contradiction is an alarm alone', () => {
  const scenes: readonly Scene[] = [...inFlight.map((rival) => ({ rival })), { now: DEADLINE + 1 }]
  for (const state of over.filter(({ name }) => name !== 'charged'))
    for (const scene of scenes) {
      const attempt = attemptIn(state)
      const alarm = `the acquirer says charged of an attempt that is ${state.name}`
      assert.deepEqual(settled(attempt, charged, scene), { attempt, checkout: open, alarm })
    }
})

test('a charge in flight of a checkout that is no longer open stops the transaction instead of paying it twice', () => {
  for (const attempt of inFlight)
    for (const status of Object.values(checkoutStates).filter((state) => state.status !== 'open'))
      assert.throws(
        () => settled(attempt, charged, { checkout: checkoutIn(status) }),
        /^Error: a checkout cannot go from/,
      )
})
