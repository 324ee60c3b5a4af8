import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AcquirerDispute } from '#payment/ports.ts'
import { disputeFields, isDisputeCursor, readDisputePage } from './disputes.ts'
import {
  AMOUNT_YEN,
  CHARGE,
  CREATED,
  GARBAGE,
  INTENT,
  ORDER,
  disputeAnswer,
  disputeMovement,
  intentAnswer,
  listOf,
  reply,
} from './testing/answers.ts'

const page = (body: unknown, status = 200, after: string | null = null) => readDisputePage(after, reply(status, body))
const disputesOf = (...items: readonly unknown[]): readonly AcquirerDispute[] | string => {
  const read = page(listOf(items))
  return read.outcome === 'page' ? read.disputes : read.why
}
const disputeOf = (changes: object): AcquirerDispute => {
  const disputes = disputesOf(disputeAnswer(changes))
  if (typeof disputes === 'string') assert.fail(disputes)
  return disputes[0] ?? assert.fail('no dispute')
}

const openedAt = CREATED * 1000
const taken = { kind: 'chargeback', movementId: 'txn_1', amountYen: AMOUNT_YEN, movedAt: openedAt } as const

test('a dispute is told with its order, its money without Stripe’s fee, and the time until which the shop can answer', () => {
  assert.deepEqual(disputesOf(disputeAnswer()), [
    {
      disputeId: 'du_1',
      orderCode: ORDER,
      status: 'open',
      amountYen: AMOUNT_YEN,
      reason: 'fraudulent',
      respondBy: (CREATED + 86_400) * 1000,
      openedAt,
      movements: [taken],
    },
  ])
})

test('every word that Stripe has for a dispute is an inquiry, open, won or lost; a new word is open, and hides no money', () => {
  const words = {
    warning_needs_response: 'inquiry',
    warning_under_review: 'inquiry',
    warning_closed: 'won',
    needs_response: 'open',
    under_review: 'open',
    appeal_needs_response: 'open',
    appeal_under_review: 'open',
    won: 'won',
    lost: 'lost',
    a_new_word: 'open',
    constructor: 'open',
  }
  for (const [status, expected] of Object.entries(words)) {
    const dispute = disputeOf({ status })
    assert.equal(dispute.status, expected, status)
    assert.deepEqual(dispute.movements, [taken])
  }
})

test('a dispute that was prevented is lost where the money was taken, and won where it was not, or was given back', () => {
  const [taking, giving] = [disputeMovement(), disputeMovement({ id: 'txn_2', amount: AMOUNT_YEN })]
  const cases = [
    [[taking], 'lost'],
    [[], 'won'],
    [[taking, giving], 'won'],
  ] as const
  for (const [balance_transactions, expected] of cases)
    assert.equal(disputeOf({ status: 'prevented', balance_transactions }).status, expected)
})

test('money that is given back is a reversal, and a transaction of fees alone is no movement', () => {
  const transactions = [disputeMovement({ id: 'txn_2', amount: 980 }), disputeMovement({ id: 'txn_3', amount: 0 })]
  assert.deepEqual(disputeOf({ balance_transactions: transactions }).movements, [
    { ...taken, kind: 'chargeback_reversal', movementId: 'txn_2', amountYen: 980 },
  ])
})

test('the shop can answer only while Stripe waits for it, and only where the issuer takes an answer', () => {
  const due = { due_by: CREATED + 1 }
  for (const status of ['needs_response', 'warning_needs_response', 'appeal_needs_response'])
    assert.equal(disputeOf({ status, evidence_details: due }).respondBy, (CREATED + 1) * 1000)
  for (const status of ['under_review', 'won', 'lost', 'warning_closed', 'prevented', 'a_new_word'])
    assert.equal(disputeOf({ status, evidence_details: due }).respondBy, null)
  for (const evidence_details of [{ due_by: 0 }, { due_by: null }, {}, null, undefined])
    assert.equal(disputeOf({ evidence_details }).respondBy, null)
})

test('a reason that may hold a card number is not repeated, and none is null', () => {
  assert.equal(disputeOf({ reason: 'card 4242424242424242' }).reason, 'other')
  for (const reason of ['', null, undefined]) assert.equal(disputeOf({ reason }).reason, null)
})

test('the dispute of a payment of another system is told by Stripe’s own id, and left out in another currency', () => {
  const elsewhere = intentAnswer({ transfer_group: 'group1', metadata: {} })
  assert.equal(disputeOf({ payment_intent: elsewhere }).orderCode, INTENT)
  assert.equal(disputeOf({ payment_intent: null }).orderCode, CHARGE)
  const dollars = { payment_intent: elsewhere, currency: 'usd', amount: 'any' }
  const inDollars = { payment_intent: null, balance_transactions: [disputeMovement({ currency: 'usd' })] }
  assert.deepEqual(disputesOf(disputeAnswer(dollars), disputeAnswer(inDollars)), [])
})

test('a dispute that cannot be read is named by itself, and hides no other of its page', () => {
  const broken = [
    { currency: 'usd' },
    { amount: '1980' },
    { created: null },
    { status: null },
    { payment_intent: INTENT },
    { payment_intent: undefined },
    { balance_transactions: undefined },
    { balance_transactions: ['txn_1'] },
    { balance_transactions: [disputeMovement({ currency: 'usd' })] },
  ]
  for (const changes of broken) {
    const read = page(listOf([disputeAnswer(), disputeAnswer({ id: 'du_2', ...changes })]))
    if (read.outcome === 'unknown') assert.fail(read.why)
    const [named = assert.fail(JSON.stringify(changes)), ...more] = read.unreadable ?? []
    assert.deepEqual([read.disputes.length, named.disputeId, more], [1, 'du_2', []])
    assert.equal(named.orderCode, 'payment_intent' in changes ? null : ORDER)
  }
  // By its ids a list goes on.
  for (const body of [...GARBAGE, listOf([disputeAnswer({ id: 'du 1' })]), { data: [] }, { has_more: false }])
    assert.equal(page(body).outcome, 'unknown')
  for (const status of [401, 403, 404, 429, 500]) assert.equal(page(listOf([]), status).outcome, 'unknown')
})

test('disputes are listed page by page, and a list that leads nowhere is not read for ever', () => {
  const read = page(listOf([disputeAnswer({ id: 'du_2' }), disputeAnswer({ id: 'du_1' })], true))
  assert.equal(read.outcome === 'page' ? read.after : read.why, 'du_1')
  assert.equal(page(listOf([], true)).outcome, 'unknown')
  assert.equal(page(listOf([disputeAnswer({ id: 'du_1' })], true), 200, 'du_1').outcome, 'unknown')
  assert.ok(
    isDisputeCursor(null) && isDisputeCursor('du_1') && !isDisputeCursor('du_1&limit=1') && !isDisputeCursor(''),
  )
  const { created } = disputeFields({ from: 1001, to: 3000 }, null, 100)
  assert.deepEqual(created, { gte: 2, lt: 3 })
})
