import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { findRefund, readRefund, readRefundPage } from './refunds.ts'
import {
  CREATED,
  GARBAGE,
  RECEIVED,
  idempotencyError,
  listOf,
  refundAnswer,
  refundOrder,
  reply,
  requestError,
} from './testing/answers.ts'
import { Refund } from './wire.ts'

const refunded = { outcome: 'refunded', amountYen: 980, refundedAt: CREATED * 1000 }
const made = (status: number, body: unknown) => readRefund(refundOrder, reply(status, body))
const parsed = (changes: object): Refund => {
  const answer: unknown = refundAnswer(changes)
  return Check(Refund, answer) ? answer : assert.fail('a refund of a test cannot be read')
}
const found = (...refunds: readonly object[]) => findRefund(refundOrder, refunds.map(parsed), RECEIVED)

test('a refund that succeeded is refunded, when it is made and when it is found', () => {
  assert.deepEqual(made(200, refundAnswer()), refunded)
  assert.deepEqual(found({ id: 're_other', metadata: { refund: 'refund-2' } }, {}), refunded)
})

test('money that was given back with another amount is refunded with that amount', () => {
  assert.deepEqual(made(200, refundAnswer({ amount: 9 })), { ...refunded, amountYen: 9 })
})

test('a refund that Stripe still works on is in doubt', () => {
  for (const status of ['pending', 'requires_action', 'a_new_word', null]) {
    assert.equal(made(200, refundAnswer({ status })).outcome, 'unknown')
    assert.equal(found({ status }).outcome, 'unknown')
  }
})

test('a refund that failed or was cancelled is refused, with Stripe’s reason', () => {
  for (const status of ['failed', 'canceled']) {
    assert.deepEqual(found({ status }), { outcome: 'refused', reason: status })
    const failure_reason = 'expired_or_canceled_card'
    assert.deepEqual(made(200, refundAnswer({ status, failure_reason })), {
      outcome: 'refused',
      reason: failure_reason,
    })
  }
})

test('of two refunds under one id, the one that gives money back counts', () => {
  assert.deepEqual(found({ status: 'failed' }, { status: 'succeeded' }), refunded)
  assert.equal(found({ status: 'failed' }, { status: 'pending' }).outcome, 'unknown')
})

test('a refund under another id, of another payment, or made in Stripe’s dashboard, is not ours', () => {
  const others = [
    { metadata: { refund: 'refund-2' } },
    { metadata: {} },
    { metadata: null },
    { metadata: undefined },
    { payment_intent: 'pi_another' },
    { payment_intent: null },
  ]
  for (const change of others) {
    assert.deepEqual(found(change), { outcome: 'not_found' })
    assert.equal(made(200, refundAnswer(change)).outcome, 'unknown')
  }
})

test('a refund in another currency needs a person', () => {
  assert.partialDeepStrictEqual(made(200, refundAnswer({ currency: 'usd' })), { outcome: 'unknown', needsPerson: true })
})

test('a refund of more than is left, or of a charge that cannot be refunded, is refused for good', () => {
  const refusals = {
    charge_already_refunded: { code: 'charge_already_refunded' },
    charge_disputed: { code: 'charge_disputed' },
    charge_not_refundable: { code: 'charge_not_refundable' },
    // As Stripe sends it: without a code.
    refund_exceeds_charge: {
      param: 'amount',
      message: 'Refund amount (¥1,980) is greater than unrefunded amount on charge (¥1,000)',
    },
  }
  const message = 'This PaymentIntent (pi_1) does not have a successful charge to refund.'
  for (const [reason, error] of Object.entries({ ...refusals, order_not_charged: { message } }))
    assert.deepEqual(made(400, requestError(error)), { outcome: 'refused', reason })
  assert.deepEqual(made(400, requestError({ param: 'amount', code: 'amount_too_large' })), {
    outcome: 'refused',
    reason: 'refund_exceeds_charge',
  })
})

test('any other error leaves the refund in doubt: a wrong refusal would give back twice', () => {
  assert.deepEqual(made(400, requestError({ code: 'balance_insufficient' })), {
    outcome: 'unknown',
    why: 'HTTP 400, balance_insufficient',
  })
  assert.equal(made(400, requestError({ code: 'parameter_invalid_integer', param: 'amount' })).outcome, 'unknown')
  assert.equal(made(400, requestError({})).outcome, 'unknown')
  for (const error of [idempotencyError.error, { type: 'api_error' }])
    for (const words of [{ code: 'charge_already_refunded' }, { param: 'amount' }])
      assert.equal(made(400, { error: { ...error, ...words } }).outcome, 'unknown')
  for (const status of [402, 404, 409, 429])
    assert.equal(made(status, requestError({ code: 'charge_already_refunded' })).outcome, 'unknown', String(status))
  for (const body of GARBAGE) {
    for (const status of [200, 400, 403, 409]) assert.equal(made(status, body).outcome, 'unknown')
    assert.partialDeepStrictEqual(made(500, body), { outcome: 'unknown', isSilence: true })
  }
})

const pageOf = (body: unknown, startingAfter: string | null = null, status = 200) =>
  readRefundPage(startingAfter, reply(status, body))

test('the list of a payment’s refunds goes on after its last, and ends when Stripe says so', () => {
  assert.deepEqual(pageOf(listOf([])), { outcome: 'page', refunds: [], after: null })
  const two = [refundAnswer({ id: 're_2' }), refundAnswer({ id: 're_1' })]
  assert.partialDeepStrictEqual(pageOf(listOf(two, true)), { outcome: 'page', after: 're_1' })
  assert.partialDeepStrictEqual(pageOf(listOf(two)), { outcome: 'page', after: null })
})

test('a list that cannot be read, or leads back to where it was, is no list: its refund would be made twice', () => {
  const broken = [
    listOf([refundAnswer(), { id: 're_1' }]),
    listOf([refundAnswer({ amount: '980' })]),
    listOf([], true),
    { data: [refundAnswer()] },
    { data: {}, has_more: false },
    ...GARBAGE,
  ]
  for (const body of broken) assert.equal(pageOf(body).outcome, 'unknown', JSON.stringify(body))
  assert.equal(pageOf(listOf([refundAnswer({ id: 're_1' })], true), 're_1').outcome, 'unknown')
  for (const status of [401, 404, 429, 500]) assert.equal(pageOf(listOf([]), null, status).outcome, 'unknown')
})
