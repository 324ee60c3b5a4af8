import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AMOUNT_YEN,
  CHARGE,
  CREATED,
  GARBAGE,
  INTENT,
  ORDER,
  PAYMENT_METHOD,
  RECEIVED,
  cardError,
  chargeAnswer,
  chargeOrder,
  declinedIntent,
  failedCharge,
  idempotencyError,
  intentAnswer,
  paidIntent,
  paymentMethodAnswer,
  reply,
  requestError,
  sentOrder,
  unexpectedState,
} from './testing/answers.ts'
import {
  confirmFields,
  isConflict,
  readConfirmed,
  readFencing,
  readInquiry,
  readIntentOpened,
  readPaymentMethod,
} from './translate.ts'

const charged = {
  outcome: 'charged',
  transactionId: CHARGE,
  approvedAt: CREATED * 1000,
  amountYen: AMOUNT_YEN,
  card: { brand: 'visa', lastFour: '4242' },
}
const notCharged = { outcome: 'not_charged' }
const order = chargeOrder()

const confirmed = (status: number, body: unknown) => readConfirmed(sentOrder, reply(status, body))
const inquired = (intent: unknown, status = 200) => readInquiry(sentOrder, reply(status, intent))
const fenced = (status: number, body: unknown) => readFencing(sentOrder, reply(status, body))

/** Answers about a payment that nobody asked about. */
const OF_OTHERS = {
  'another intent': { id: 'pi_another' },
  'another order': { metadata: { order: 'a'.repeat(32) } },
  'no order': { metadata: {} },
  'another currency': { currency: 'usd' },
}

/** A fault on Stripe's side counts for the circuit breaker. */
const notChargedBy = (status: number) => (status >= 500 ? { ...notCharged, isSilence: true } : notCharged)

describe('the opening of an intent', () => {
  const opened = (status: number, body: unknown) => readIntentOpened(order, reply(status, body))

  test('an intent of this order, amount and currency may be confirmed', () => {
    assert.deepEqual(opened(200, intentAnswer()), { outcome: 'received', id: INTENT })
  })

  test('an intent of another order, amount or currency, or without an id of Stripe, is never confirmed', () => {
    const others = [OF_OTHERS['another order'], OF_OTHERS['no order'], OF_OTHERS['another currency'], { amount: 19 }]
    for (const change of [...others, { id: 'pi_1/../refunds' }, { id: ORDER }, { id: 7 }])
      assert.deepEqual(opened(200, intentAnswer(change)), notCharged, JSON.stringify(change))
    for (const body of GARBAGE) assert.deepEqual(opened(200, body), notCharged)
  })

  test('an amount outside Stripe’s limits is a decline with Stripe’s code', () => {
    for (const code of ['amount_too_small', 'amount_too_large'])
      assert.deepEqual(opened(400, requestError({ code, param: 'amount' })), { outcome: 'declined', reason: code })
  })

  test('an error before any card was sent is not charged', () => {
    for (const status of [400, 402, 404, 429, 500, 503])
      for (const body of [requestError({ code: 'parameter_unknown' }), ...GARBAGE])
        assert.deepEqual(opened(status, body), notChargedBy(status), String(status))
  })

  test('a second opening of the same order is in doubt: the first may be charging it', () => {
    assert.equal(opened(409, requestError({ code: 'idempotency_key_in_use' })).outcome, 'unknown')
    assert.equal(opened(400, idempotencyError).outcome, 'unknown')
  })
})

test('an answer that refuses the account, whatever the card, charges nothing and says what its operator has to mend', () => {
  const raw = requestError({
    message:
      'Sending credit card numbers directly … https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis.',
  })
  const forbids = requestError({
    message:
      "The provided key 'rk_live_12345678' lacks … Having the 'rak_payment_method_write' permission would allow this",
  })
  for (const [status, body, accountFault] of [
    [401, requestError({}), 'Stripe does not accept the key (HTTP 401)'],
    [403, forbids, 'the key lacks the permission rak_payment_method_write (HTTP 403)'],
    [403, null, 'the key lacks the permission for a call (HTTP 403)'],
    [400, raw, 'Stripe takes no card numbers from the servers of this account'],
    [402, raw, 'Stripe takes no card numbers from the servers of this account'],
  ] as const)
    assert.deepEqual(readPaymentMethod(reply(status, body)), { outcome: 'not_charged', accountFault })
  const accountFault = 'Stripe does not accept the key (HTTP 401)'
  assert.deepEqual(readIntentOpened(order, reply(401, null)), { outcome: 'not_charged', accountFault })
})

describe('the payment method', () => {
  test('its id is what the confirmation needs', () => {
    assert.deepEqual(readPaymentMethod(reply(200, paymentMethodAnswer)), { outcome: 'received', id: PAYMENT_METHOD })
  })

  test('a card that Stripe refuses here is declined, by the most exact of its codes', () => {
    const declined = (error: object) => readPaymentMethod(reply(402, { error }))
    const type = 'card_error'
    assert.deepEqual(declined({ type, code: 'incorrect_number' }), { outcome: 'declined', reason: 'incorrect_number' })
    assert.deepEqual(declined({ type, code: 'card_declined', decline_code: 'test_mode_live_card' }), {
      outcome: 'declined',
      reason: 'test_mode_live_card',
    })
    const reason = 'invalid_request_error'
    assert.deepEqual(declined({ type: reason }), { outcome: 'declined', reason })
    assert.deepEqual(readPaymentMethod(reply(402, null)), { outcome: 'declined', reason: 'other' })
  })

  test('any other answer is not charged: a payment method moves no money', () => {
    for (const body of GARBAGE) assert.deepEqual(readPaymentMethod(reply(200, body)), notCharged)
    for (const status of [400, 429, 499, 500])
      assert.deepEqual(readPaymentMethod(reply(status, {})), notChargedBy(status))
  })
})

describe('the confirmation', () => {
  test('a payment that succeeded is charged with the charge’s id, time, amount and card', () => {
    assert.deepEqual(confirmed(200, paidIntent()), charged)
  })

  test('money that moved with another amount is charged with that amount', () => {
    for (const change of [{ amount_received: 19 }, { amount: 19, amount_received: 19 }])
      assert.deepEqual(confirmed(200, paidIntent(change)), { ...charged, amountYen: 19 })
  })

  test('an answer about another intent, order or currency decides nothing', () => {
    for (const [name, change] of Object.entries(OF_OTHERS)) {
      assert.equal(confirmed(200, paidIntent(change)).outcome, 'unknown', name)
      assert.equal(confirmed(402, cardError({ payment_intent: declinedIntent(change) })).outcome, 'unknown', name)
      assert.equal(confirmed(400, unexpectedState(paidIntent(change))).outcome, 'unknown', name)
      assert.equal(confirmed(400, unexpectedState(intentAnswer({ status: 'canceled', ...change }))).outcome, 'unknown')
    }
    assert.equal(confirmed(402, cardError({ payment_intent: declinedIntent({ amount: 19 }) })).outcome, 'unknown')
    assert.equal(confirmed(402, cardError({ payment_intent: undefined })).outcome, 'unknown')
  })

  test('a charge whose time, id and card cannot be read is charged at the time of the answer', () => {
    const unnamed = { outcome: 'charged', transactionId: `order_${ORDER}`, approvedAt: RECEIVED, amountYen: AMOUNT_YEN }
    const odd = { id: 4_242_424_242_424_242, created: 'noon', payment_method_details: { card: { brand: 'visa' } } }
    assert.deepEqual(confirmed(200, paidIntent({ latest_charge: chargeAnswer(odd) })), unnamed)
    for (const latest_charge of [null, undefined, 7])
      assert.deepEqual(confirmed(200, paidIntent({ latest_charge })), unnamed)
    assert.deepEqual(confirmed(200, paidIntent({ latest_charge: CHARGE })), { ...unnamed, transactionId: CHARGE })
  })

  test('Stripe’s names of brands become ours, and a brand that we do not know is left out', () => {
    const brandOf = (brand: string) =>
      confirmed(
        200,
        paidIntent({ latest_charge: chargeAnswer({ payment_method_details: { card: { brand, last4: '4242' } } }) }),
      )
    assert.partialDeepStrictEqual(brandOf('mastercard'), { card: { brand: 'master', lastFour: '4242' } })
    for (const brand of ['visa', 'amex', 'jcb', 'diners', 'discover'])
      assert.partialDeepStrictEqual(brandOf(brand), { card: { brand } })
    assert.ok(!('card' in brandOf('unionpay')))
  })

  test('a card error is a decline with the issuer’s code, and an inquiry gives the same', () => {
    const declined = { outcome: 'declined', reason: 'insufficient_funds' }
    assert.deepEqual(confirmed(402, cardError()), declined)
    assert.deepEqual(inquired(declinedIntent()), declined)
    const bare = { outcome: 'declined', reason: 'expired_card' }
    assert.deepEqual(confirmed(402, cardError({ code: 'expired_card', decline_code: undefined })), bare)
  })

  test('a reason that may repeat the card is not stored', () => {
    for (const code of ['declined 4242424242424242', 'cvc_737', 7, null])
      assert.deepEqual(confirmed(402, cardError({ code, decline_code: undefined })), {
        outcome: 'declined',
        reason: 'other',
      })
  })

  test('a card error about a payment that has moved or may move money is no decline', () => {
    for (const status of ['succeeded', 'processing', 'requires_capture', 'requires_action', 'a_new_word'])
      assert.equal(confirmed(402, cardError({ payment_intent: declinedIntent({ status }) })).outcome, 'unknown', status)
    assert.equal(confirmed(402, requestError({ payment_intent: declinedIntent() })).outcome, 'unknown')
  })

  test('an intent in another state decides by the intent in the error: charged, cancelled or in doubt', () => {
    assert.deepEqual(confirmed(400, unexpectedState(paidIntent())), charged)
    assert.deepEqual(confirmed(400, unexpectedState(intentAnswer({ status: 'canceled' }))), notCharged)
    for (const status of ['processing', 'requires_payment_method', 'requires_action'])
      assert.equal(confirmed(400, unexpectedState(intentAnswer({ status }))).outcome, 'unknown', status)
  })

  test('a confirmation that is not decided yet is in doubt, never declined and never not charged', () => {
    for (const status of ['processing', 'requires_payment_method', 'requires_action', 'requires_capture', 'a_new_word'])
      assert.equal(confirmed(200, intentAnswer({ status })).outcome, 'unknown', status)
  })

  test('an answer that nobody should send leaves the payment in doubt; a 5xx counts as silence', () => {
    for (const body of GARBAGE) {
      for (const status of [200, 202, 400, 401, 402, 403, 404])
        assert.equal(confirmed(status, body).outcome, 'unknown', `${status} ${JSON.stringify(body)}`)
      for (const status of [500, 503])
        assert.deepEqual(confirmed(status, body), { outcome: 'unknown', why: `HTTP ${status}`, isSilence: true })
    }
  })

  test('a second request under one key, a lock and a rate limit are conflicts, after which the intent is read', () => {
    assert.ok(isConflict(reply(409, requestError({ code: 'idempotency_key_in_use' }))))
    assert.ok(isConflict(reply(429, requestError({ code: 'lock_timeout' }))))
    assert.ok(isConflict(reply(429, null)))
    assert.ok(isConflict(reply(400, idempotencyError)))
    assert.ok(!isConflict(reply(400, unexpectedState(paidIntent()))))
    assert.ok(!isConflict(reply(402, cardError())))
  })

  test('after a challenge the issuer’s first answer was C, without one it is the result', () => {
    const { clearance } = order
    if (clearance.by !== 'authentication') assert.fail()
    const sent = (challenged: boolean) => confirmFields('pm_1', { ...clearance, ...(challenged ? { challenged } : {}) })
    const status = (ares_trans_status: string) => ({
      payment_method_options: { card: { three_d_secure: { ares_trans_status } } },
    })
    assert.partialDeepStrictEqual(sent(true), status('C'))
    assert.partialDeepStrictEqual(sent(false), status('Y'))
  })
})

describe('the inquiry', () => {
  test('an intent without a charge is not found, and once cancelled it is not charged', () => {
    for (const status of ['requires_payment_method', 'requires_confirmation', 'requires_action'])
      assert.deepEqual(inquired(intentAnswer({ status })), { outcome: 'not_found' }, status)
    assert.deepEqual(inquired(intentAnswer({ status: 'canceled' })), notCharged)
  })

  test('a charge that failed is a decline, also when its intent was cancelled later', () => {
    const declined = { outcome: 'declined', reason: 'card_declined' }
    for (const status of ['requires_payment_method', 'canceled'])
      assert.deepEqual(inquired(declinedIntent({ status, last_payment_error: null })), declined, status)
  })

  test('a payment that Stripe works on is pending', () => {
    assert.deepEqual(inquired(intentAnswer({ status: 'processing' })), { outcome: 'pending' })
    assert.deepEqual(inquired(intentAnswer({ latest_charge: chargeAnswer({ status: 'pending' }) })), {
      outcome: 'pending',
    })
  })

  test('a payment that succeeded is charged', () => {
    assert.deepEqual(inquired(paidIntent()), charged)
  })

  test('what contradicts itself, or waits for a capture that nobody makes, needs a person', () => {
    const odd = [
      intentAnswer({ latest_charge: chargeAnswer() }),
      intentAnswer({ status: 'canceled', latest_charge: chargeAnswer() }),
      intentAnswer({ status: 'requires_capture', latest_charge: chargeAnswer() }),
    ]
    for (const intent of odd) assert.partialDeepStrictEqual(inquired(intent), { outcome: 'unknown', needsPerson: true })
  })

  test('a failed charge of another amount or of another order decides nothing', () => {
    for (const change of [...Object.values(OF_OTHERS), { amount: 19 }])
      for (const intent of [
        declinedIntent(change),
        intentAnswer(change),
        intentAnswer({ status: 'canceled', ...change }),
      ])
        assert.equal(inquired(intent).outcome, 'unknown', JSON.stringify(change))
    assert.equal(inquired(intentAnswer({ latest_charge: CHARGE })).outcome, 'unknown')
    assert.equal(inquired(paidIntent({ amount_received: undefined })).outcome, 'unknown')
  })

  test('an intent that this key does not know is in doubt until the right key is there, and no person is needed', () => {
    const outcome = inquired(requestError({ code: 'resource_missing' }), 404)
    assert.deepEqual(Object.keys(outcome), ['outcome', 'why'])
    assert.ok('why' in outcome && /another account/.test(outcome.why) && /mode/.test(outcome.why))
    assert.deepEqual(fenced(404, requestError({ code: 'resource_missing' })), outcome)
  })

  test('an answer that nobody should send leaves the payment in doubt', () => {
    for (const body of GARBAGE)
      for (const status of [200, 400, 401, 403, 429, 500]) assert.equal(inquired(body, status).outcome, 'unknown')
  })
})

describe('the fence', () => {
  const cancelled = intentAnswer({ status: 'canceled' })

  test('a cancelled intent is fenced, now or by an earlier cancellation', () => {
    assert.deepEqual(fenced(200, cancelled), { outcome: 'fenced' })
    assert.deepEqual(fenced(400, unexpectedState(cancelled)), { outcome: 'fenced' })
  })

  test('an intent that has moved money, or is about to, exists', () => {
    for (const status of ['succeeded', 'processing'])
      assert.deepEqual(fenced(400, unexpectedState(paidIntent({ status }))), { outcome: 'exists' }, status)
  })

  test('a cancellation of another payment, or one that did not cancel, is no fence', () => {
    for (const change of [...Object.values(OF_OTHERS), { amount: 19 }]) {
      assert.equal(fenced(200, { ...cancelled, ...change }).outcome, 'unknown')
      assert.equal(fenced(400, unexpectedState({ ...cancelled, ...change })).outcome, 'unknown')
    }
    assert.equal(fenced(200, intentAnswer()).outcome, 'unknown')
    assert.equal(fenced(400, requestError({ code: 'parameter_unknown', payment_intent: cancelled })).outcome, 'unknown')
    assert.equal(fenced(429, unexpectedState(cancelled)).outcome, 'unknown')
    for (const body of GARBAGE)
      for (const status of [200, 400, 401, 409, 429, 500]) assert.equal(fenced(status, body).outcome, 'unknown')
  })

  test('a charge that failed in between does not keep the intent from being fenced', () => {
    assert.deepEqual(fenced(200, declinedIntent({ status: 'canceled', latest_charge: failedCharge() })), {
      outcome: 'fenced',
    })
  })
})
