import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptState } from './attempt.ts'
import { ANSWERED_AT_ONCE_MS, decideClaim, owedALetter, settle, type ClaimDecision } from './charge.ts'
import { leaseFrom } from './doubt.ts'
import type { ChargeOutcome, Inquiry } from './ports.ts'
import {
  ATTEMPT_STATES as attemptStates,
  attemptIn,
  CHECKOUT_STATES as checkoutStates,
  checkoutIn,
  DEADLINE,
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
const TIMEOUT_MS = 20_000
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

test('a claimed attempt carries its clearance, the wish for a receipt and the lease, and stays the same order', () => {
  for (const state of [attemptStates.started, attemptStates.authenticated]) {
    const { clearance } = state
    assert.deepEqual(decideClaim(nothing, attemptIn(state), command), {
      decision: 'claim',
      attempt: attemptIn({ name: 'charging', clearance, receipt, leaseUntil: NOW + 35_000 }),
    })
  }
})

test('an attempt over another amount than the checkout is never charged', () => {
  for (const amountYen of [1979, 1981]) {
    const attempt = attemptIn(attemptStates.authenticated, { amountYen })
    assert.equal(said(decideClaim(nothing, attempt, command)), 'order_over')
  }
})

type Said = ChargeOutcome | Extract<Inquiry, { outcome: 'pending' }>
const charged = { outcome: 'charged', transactionId: 't9', approvedAt: NOW - 500, amountYen: 1980 } as const
const declined = { outcome: 'declined', reason: 'insufficient funds' } as const
const voided = { outcome: 'void' } as const
const lost = { outcome: 'unknown', why: 'connection lost' } as const
const pending = { outcome: 'pending' } as const
const words: readonly Said[] = [charged, { ...charged, amountYen: 1 }, declined, voided, lost, pending]
const inFlight = [attemptIn(attemptStates.charging), attemptIn(attemptStates.unknown)]

test('a charge of the right amount pays the checkout, also when it is learned of late and in doubt', () => {
  for (const attempt of inFlight)
    for (const now of [NOW, DEADLINE + 1, DEADLINE + 3_600_000])
      assert.deepEqual(settle(open, attempt, charged, 4, now), {
        attempt: attemptIn({ name: 'charged', receipt, transactionId: 't9', approvedAt: NOW - 500 }),
        checkout: checkoutIn({
          status: 'paid',
          payment: { orderCode: 'o1', transactionId: 't9', paidAt: NOW - 500, card: attempt.card },
        }),
      })
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
    assert.deepEqual(settle(open, attemptIn(attemptStates.charging), word, 4, NOW), {
      attempt: attemptIn(newDoubt),
      checkout: open,
      alarm,
    })
    const doubted = attemptIn(attemptStates.unknown)
    assert.deepEqual(settle(open, doubted, word, 4, NOW), { attempt: doubted, checkout: open, alarm })
  }
})

test('the fourth decline leaves the checkout open and the fifth closes it as failed', () => {
  for (const attempt of inFlight)
    for (const before of [0, 1, 2, 3, 4, 5, 19]) {
      const closed = checkoutIn({ status: 'failed', closedAt: NOW + 7 })
      assert.deepEqual(
        settle(open, attempt, declined, before, NOW + 7),
        {
          attempt: attemptIn({ name: 'declined', reason: 'insufficient funds' }),
          checkout: before < 4 ? open : closed,
        },
        `${before} declines before`,
      )
    }
})

test('a fenced order is void, counts as no decline and leaves the checkout open', () => {
  for (const attempt of inFlight)
    for (const before of [0, 4, 5])
      assert.deepEqual(settle(open, attempt, voided, before, NOW), {
        attempt: attemptIn(attemptStates.void),
        checkout: open,
      })
})

test('a charge without an outcome becomes a doubt that remembers its reason, and is never a failure', () => {
  const reasons: readonly (readonly [Said, string])[] = [
    [lost, 'connection lost'],
    [pending, 'the acquirer has not decided yet'],
  ]
  for (const [word, why] of reasons) {
    const unknown = { name: 'unknown', receipt, why, since: NOW + 7, inquiries: 0, nextInquiryAt: NOW + 1007 } as const
    const settlement = settle(open, attemptIn(attemptStates.charging), word, 4, NOW + 7)
    assert.deepEqual(settlement, { attempt: attemptIn(unknown), checkout: open })
  }
})

test('a doubt stays the same doubt while the acquirer does not know or does not answer', () => {
  const attempt = attemptIn(attemptStates.unknown)
  for (const word of [lost, pending])
    assert.deepEqual(settle(open, attempt, word, 4, DEADLINE + 1), { attempt, checkout: open })
})

test('a word about an attempt that is not in flight changes nothing; an unexpected charge calls a person', () => {
  for (const state of Object.values(attemptStates).filter(({ name }) => name !== 'charging' && name !== 'unknown'))
    for (const status of Object.values(checkoutStates))
      for (const word of words) {
        const [checkout, attempt] = [checkoutIn(status), attemptIn(state)]
        const alarm = `the acquirer reports a charge of an attempt that is ${state.name}`
        const unexpected = word.outcome === 'charged' && state.name !== 'charged'
        assert.deepEqual(settle(checkout, attempt, word, 4, NOW), {
          checkout,
          attempt,
          ...(unexpected ? { alarm } : {}),
        })
      }
})

test('a charge in flight of a checkout that is no longer open stops the transaction instead of paying it twice', () => {
  for (const attempt of inFlight)
    for (const status of Object.values(checkoutStates).filter((state) => state.status !== 'open'))
      assert.throws(() => settle(checkoutIn(status), attempt, charged, 0, NOW), /^Error: a checkout cannot go from/)
})

test('a charge that ended without money is written about when its shopper may have left, and not when it was answered at once', () => {
  const { charging, unknown, started } = attemptStates
  const claimedAt = charging.leaseUntil - leaseFrom(0, TIMEOUT_MS)
  assert.equal(owedALetter(charging, TIMEOUT_MS, claimedAt + ANSWERED_AT_ONCE_MS), null)
  assert.equal(owedALetter(charging, TIMEOUT_MS, claimedAt + ANSWERED_AT_ONCE_MS + 1), charging.receipt)
  assert.equal(owedALetter(unknown, TIMEOUT_MS, claimedAt), unknown.receipt)
  assert.equal(owedALetter(started, TIMEOUT_MS, claimedAt), null)
})
