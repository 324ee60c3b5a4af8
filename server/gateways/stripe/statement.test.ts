import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { pageFields, placeOf, readChargesOfOrder, readPage, type Place } from './statement.ts'
import {
  AMOUNT_YEN,
  CREATED,
  GARBAGE,
  INTENT,
  ORDER,
  chargeAnswer,
  disputeAnswer,
  disputeMovement,
  failedCharge,
  intentAnswer,
  listOf,
  refundAnswer,
  reply,
} from './testing/answers.ts'

const CHARGES: Place = { list: 'charges', startingAfter: null }
const REFUNDS: Place = { list: 'refunds', startingAfter: null }
const DISPUTES: Place = { list: 'disputes', startingAfter: null }
const PERIOD = { from: CREATED * 1000, to: CREATED * 1000 + 1 }
const page = (place: Place, body: unknown, status = 200) => readPage(PERIOD, place, reply(status, body))
const linesOf = (place: Place, ...items: readonly unknown[]) => {
  const statement = page(place, listOf(items))
  return statement.outcome === 'page' ? statement.lines : statement.why
}

const movedAt = CREATED * 1000
const chargeLine = { kind: 'charge', orderCode: ORDER, reference: INTENT, amountYen: AMOUNT_YEN, movedAt }
const refundLine = { kind: 'refund', orderCode: ORDER, refundId: 'refund-1', amountYen: 980, movedAt }
const listedRefund = (changes: object = {}) => refundAnswer({ payment_intent: intentAnswer(), ...changes })

describe('the statement', () => {
  test('a charge that succeeded is a line with its order, reference, amount and time', () => {
    assert.deepEqual(linesOf(CHARGES, chargeAnswer()), [chargeLine])
  })

  test('a charge that failed or was never captured is no line, and one that is not decided is pending', () => {
    const uncaptured = chargeAnswer({ captured: false, amount_captured: 0 })
    assert.deepEqual(linesOf(CHARGES, failedCharge(), uncaptured), [])
    assert.deepEqual(page(CHARGES, listOf([chargeAnswer({ status: 'pending', amount_captured: 0 })])), {
      outcome: 'page',
      lines: [],
      pending: [{ orderCode: ORDER, reference: INTENT }],
      after: 'refunds:',
    })
  })

  test('what the shop sold elsewhere with the same account is left out, in any currency', () => {
    const elsewhere = { transfer_group: null, metadata: {}, currency: 'usd', payment_intent: null }
    assert.deepEqual(
      linesOf(CHARGES, chargeAnswer(elsewhere), chargeAnswer({ ...elsewhere, transfer_group: 'group1' })),
      [],
    )
    assert.deepEqual(
      linesOf(
        REFUNDS,
        listedRefund({ payment_intent: null }),
        listedRefund({ payment_intent: intentAnswer(elsewhere) }),
      ),
      [],
    )
  })

  test('a charge is ours by its group even when somebody has removed its metadata, and the other way round', () => {
    assert.deepEqual(linesOf(CHARGES, chargeAnswer({ metadata: {} })), [chargeLine])
    assert.deepEqual(linesOf(CHARGES, chargeAnswer({ transfer_group: null })), [chargeLine])
  })

  test('a refund has our id, or Stripe’s own where we did not request it', () => {
    assert.deepEqual(linesOf(REFUNDS, listedRefund()), [refundLine])
    for (const metadata of [{}, null, undefined, { refund: 'a refund' }])
      assert.deepEqual(linesOf(REFUNDS, listedRefund({ id: 're_1', metadata })), [{ ...refundLine, refundId: 're_1' }])
  })

  test('a refund that gives nothing back, or not yet, is no line', () => {
    for (const status of ['failed', 'canceled', 'pending', 'requires_action', null])
      assert.deepEqual(linesOf(REFUNDS, listedRefund({ status })), [])
  })

  test('money that a dispute moved in the period is a line, whenever the dispute was opened', () => {
    const transaction = (id: string, amount: number, created: number) => disputeMovement({ id, amount, created })
    const dispute = disputeAnswer({
      created: CREATED - 100 * 86_400,
      balance_transactions: [
        transaction('txn_1', -AMOUNT_YEN, CREATED - 1),
        transaction('txn_2', AMOUNT_YEN, CREATED),
        transaction('txn_3', -980, CREATED),
        transaction('txn_4', 980, CREATED + 1),
      ],
    })
    assert.deepEqual(linesOf(DISPUTES, dispute), [
      { kind: 'chargeback_reversal', orderCode: ORDER, movementId: 'txn_2', amountYen: AMOUNT_YEN, movedAt },
      { kind: 'chargeback', orderCode: ORDER, movementId: 'txn_3', amountYen: 980, movedAt },
    ])
    const elsewhere = intentAnswer({ transfer_group: null, metadata: {} })
    assert.deepEqual(linesOf(DISPUTES, disputeAnswer({ payment_intent: elsewhere })), [])
    const { created } = pageFields({ from: 590 * DAY_MS, to: 600 * DAY_MS }, DISPUTES, 100)
    assert.deepEqual(created, { gte: (50 * DAY_MS) / 1000, lt: (601 * DAY_MS) / 1000 })
  })

  test('a page with one payment of ours that cannot be read is unknown as a whole', () => {
    const broken = [
      chargeAnswer({ currency: 'usd' }),
      chargeAnswer({ amount_captured: '1980' }),
      chargeAnswer({ created: null }),
      chargeAnswer({ payment_intent: null }),
      chargeAnswer({ id: undefined }),
    ]
    for (const item of broken) assert.equal(typeof linesOf(CHARGES, chargeAnswer(), item), 'string')
    const refunds = [{ currency: 'usd' }, { amount: null }, { created: '1' }, { payment_intent: INTENT }]
    for (const change of refunds) assert.equal(typeof linesOf(REFUNDS, listedRefund(), listedRefund(change)), 'string')
    for (const body of [...GARBAGE, { data: [] }, { has_more: false }])
      for (const place of [CHARGES, REFUNDS, DISPUTES]) assert.equal(page(place, body).outcome, 'unknown')
    for (const status of [401, 404, 429, 500]) assert.equal(page(CHARGES, listOf([]), status).outcome, 'unknown')
  })

  test('all charges are read before all refunds, and these before the disputes, each list to its end', () => {
    const afterOf = (place: Place, items: readonly unknown[], hasMore: boolean) => {
      const statement = page(place, listOf(items, hasMore))
      return statement.outcome === 'page' ? statement.after : statement.outcome
    }
    assert.equal(afterOf(CHARGES, [chargeAnswer({ id: 'ch_2' }), chargeAnswer({ id: 'ch_1' })], true), 'charges:ch_1')
    assert.equal(afterOf(CHARGES, [chargeAnswer()], false), 'refunds:')
    assert.equal(afterOf(REFUNDS, [listedRefund({ id: 're_1' })], true), 'refunds:re_1')
    assert.equal(afterOf(REFUNDS, [], false), 'disputes:')
    assert.equal(afterOf(DISPUTES, [disputeAnswer({ id: 'du_1' })], true), 'disputes:du_1')
    assert.equal(afterOf(DISPUTES, [], false), null)
    assert.equal(afterOf(CHARGES, [], true), 'unknown')
    assert.equal(afterOf({ list: 'charges', startingAfter: 'ch_1' }, [chargeAnswer({ id: 'ch_1' })], true), 'unknown')
  })

  test('a cursor names its list and its place', () => {
    assert.deepEqual(placeOf(null), CHARGES)
    assert.deepEqual(placeOf('charges:ch_1'), { list: 'charges', startingAfter: 'ch_1' })
    assert.deepEqual(placeOf('refunds:'), REFUNDS)
    assert.deepEqual(placeOf('refunds:re_1'), { list: 'refunds', startingAfter: 're_1' })
    assert.deepEqual(placeOf('disputes:'), DISPUTES)
    for (const cursor of ['', 'ch_1', 'payouts:', 'charges:ch_1&limit=1']) assert.equal(placeOf(cursor), undefined)
  })

  test('periods that adjoin share no second and leave none out', () => {
    const createdIn = (from: number, to: number) => pageFields({ from, to }, CHARGES, 100)['created']
    assert.deepEqual(createdIn(1000, 2001), { gte: 1, lt: 3 })
    assert.deepEqual(createdIn(2001, 4000), { gte: 3, lt: 4 })
  })
})

describe('the charges of an order whose reference is not known', () => {
  const charges = (...items: readonly unknown[]) => readChargesOfOrder(ORDER, reply(200, listOf(items)))

  test('none, or only failed ones: the order is fenced', () => {
    assert.deepEqual(charges(), { outcome: 'fenced' })
    assert.deepEqual(charges(failedCharge()), { outcome: 'fenced' })
  })

  test('one that moved money, or may: the order exists', () => {
    for (const status of ['succeeded', 'pending', 'a_new_word'])
      assert.deepEqual(charges(failedCharge(), chargeAnswer({ status })), { outcome: 'exists' })
  })

  test('charges of another order, or a list that cannot be read, fence nothing', () => {
    assert.equal(charges(failedCharge({ transfer_group: 'a'.repeat(32) })).outcome, 'unknown')
    assert.equal(charges({ id: 'ch_1' }).outcome, 'unknown')
    assert.equal(readChargesOfOrder(ORDER, reply(200, listOf([], true))).outcome, 'unknown')
    for (const body of GARBAGE)
      for (const status of [200, 401, 500])
        assert.equal(readChargesOfOrder(ORDER, reply(status, body)).outcome, 'unknown')
  })
})
