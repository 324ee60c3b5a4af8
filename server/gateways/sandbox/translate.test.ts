import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChargeOrder } from '#payment/ports.ts'
import { cardOf } from '../../testing/cards.ts'
import {
  chargeBody,
  readCharge,
  readFencing,
  readInquiry,
  readRefund,
  readRefundInquiry,
  readStatement,
} from './translate.ts'
import type { Reply } from './wire.ts'

const ORDER = 'k3v6wq2m'
const APPROVED = Date.parse('2026-11-15T05:00:00.123Z')

/** Answers as the acquirer sent them, written down. */
const CHARGED = {
  orderId: ORDER,
  status: 'charged',
  amount: 1980,
  currency: 'JPY',
  card: { brand: 'visa', lastFour: '4242' },
  transactionId: 'txn_n2r3v5a7lq2w4c6e7dzk',
  approvedAt: '2026-11-15T05:00:00.123Z',
  refundedAmount: 0,
}
const DECLINED = {
  orderId: ORDER,
  status: 'declined',
  amount: 1980,
  currency: 'JPY',
  card: { brand: 'visa', lastFour: '0001' },
  reason: 'card_declined',
  declinedAt: '2026-11-15T05:00:00.123Z',
}
const PENDING = { orderId: ORDER, status: 'pending', amount: 1980, currency: 'JPY', card: { brand: 'visa' } }
const VOID = { orderId: ORDER, status: 'void' }
const REFUNDED = {
  orderId: ORDER,
  refundId: 'refund-1',
  status: 'refunded',
  amount: 980,
  refundedAt: '2026-11-15T05:00:00.123Z',
}

const reply = (status: number, body: unknown): Reply => ({ status, body })
const said = { outcome: 'charged', transactionId: CHARGED.transactionId, approvedAt: APPROVED, amountYen: 1980 }

const GARBAGE: readonly unknown[] = [
  null,
  undefined,
  '',
  'charged',
  200,
  true,
  [],
  [CHARGED],
  {},
  { status: 'charged' },
  { ...CHARGED, orderId: 'another' },
  { ...VOID, orderId: 'another' },
  { ...CHARGED, orderId: undefined },
  { ...CHARGED, status: 'CHARGED' },
  { ...CHARGED, status: 'approved' },
  { ...CHARGED, amount: '1980' },
  { ...CHARGED, amount: 19.8 },
  { ...CHARGED, amount: undefined },
  { ...CHARGED, currency: undefined },
  { ...CHARGED, currency: 'USD' },
  { ...CHARGED, transactionId: undefined },
  { ...CHARGED, transactionId: null },
  { ...CHARGED, transactionId: 17 },
  { ...CHARGED, approvedAt: undefined },
  { ...CHARGED, approvedAt: null },
  { ...CHARGED, approvedAt: 'yesterday' },
  { ...DECLINED, orderId: 'another' },
  { error: 'order_void' },
  { error: 'order_not_found' },
]
const ECHOED = '4242424242424242'
const ODD_WORDS = [
  '',
  'a'.repeat(65),
  'Card Declined',
  'card declined',
  'カード',
  'a\nb',
  ECHOED,
  `declined_${ECHOED}`,
  '4_2_4_2_4242',
  'cvc_737_is_wrong',
]
const STATUSES = [201, 204, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504]

describe('what the acquirer says to a charge', () => {
  test('a charge with all its particulars is a charge', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, CHARGED)), said)
  })

  test('the amount is the acquirer’s, for the record to compare', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, { ...CHARGED, amount: 1 })), { ...said, amountYen: 1 })
  })

  test('a decline is a decline, with or without its reason', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, DECLINED)), { outcome: 'declined', reason: 'card_declined' })
    for (const reason of [null, undefined]) {
      const told = readCharge(ORDER, reply(200, { ...DECLINED, reason }))
      assert.deepEqual(told, { outcome: 'declined', reason: 'no reason given' })
    }
  })

  test('a reason that is more than a word is not kept: it may repeat the card', () => {
    for (const reason of ['a', 'do_not_honor_05', 'a'.repeat(64)])
      assert.deepEqual(readCharge(ORDER, reply(200, { ...DECLINED, reason })), { outcome: 'declined', reason })
    for (const reason of ODD_WORDS)
      for (const read of [readCharge, readInquiry])
        assert.deepEqual(read(ORDER, reply(200, { ...DECLINED, reason })), { outcome: 'declined', reason: 'other' })
  })

  test('a charge with an odd id is a charge, known by its order', () => {
    for (const transactionId of ['a', 'TXN_1.2:3-4', '20261115', '9000000000000001', 'a'.repeat(64)])
      assert.deepEqual(readCharge(ORDER, reply(200, { ...CHARGED, transactionId })), { ...said, transactionId })
    const odd = [
      '',
      'a'.repeat(65),
      'txn 1',
      'txn\n1',
      'txn\0',
      '４２',
      `txn_${ECHOED}`,
      '4242-4242-4242-4242',
      '737',
      '0207',
    ]
    for (const transactionId of [...odd, ECHOED, `${ECHOED}:737`])
      for (const read of [readCharge, readInquiry])
        assert.deepEqual(
          read(ORDER, reply(200, { ...CHARGED, transactionId })),
          { ...said, transactionId: `order_${ORDER}` },
          transactionId,
        )
  })

  test('a fenced order is void, in either way of saying so', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, VOID)), { outcome: 'void' })
    assert.deepEqual(readCharge(ORDER, reply(409, { error: 'order_void' })), { outcome: 'void' })
  })

  test('an order that is still pending is in doubt', () => {
    assert.equal(readCharge(ORDER, reply(200, PENDING)).outcome, 'unknown')
  })

  test('an answer that cannot be read, or that is about another order, is in doubt', () => {
    for (const body of GARBAGE) {
      assert.equal(readCharge(ORDER, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
  })

  test('an answer with any other status is in doubt, whatever its body says', () => {
    for (const status of STATUSES) {
      for (const body of [CHARGED, DECLINED, VOID, { error: 'order_mismatch' }, null]) {
        assert.equal(readCharge(ORDER, reply(status, body)).outcome, 'unknown', `${status} ${JSON.stringify(body)}`)
      }
    }
    assert.equal(readCharge(ORDER, reply(400, { error: 'order_void' })).outcome, 'unknown')
    assert.equal(readCharge(ORDER, reply(404, { error: 'order_not_found' })).outcome, 'unknown')
  })
})

describe('what the acquirer says to an inquiry', () => {
  test('each state of an order is told as it is', () => {
    assert.deepEqual(readInquiry(ORDER, reply(200, CHARGED)), said)
    assert.deepEqual(readInquiry(ORDER, reply(200, DECLINED)), { outcome: 'declined', reason: 'card_declined' })
    assert.deepEqual(readInquiry(ORDER, reply(200, PENDING)), { outcome: 'pending' })
    assert.deepEqual(readInquiry(ORDER, reply(200, VOID)), { outcome: 'void' })
    assert.deepEqual(readInquiry(ORDER, reply(404, { error: 'order_not_found' })), { outcome: 'not_found' })
  })

  test('a 404 of something on the way is not the acquirer’s word', () => {
    for (const body of [null, {}, '<html>', { error: 'not_found' }, { message: 'order_not_found' }]) {
      assert.equal(readInquiry(ORDER, reply(404, body)).outcome, 'unknown')
    }
  })

  test('what cannot be read leaves the doubt standing', () => {
    for (const body of GARBAGE) {
      assert.equal(readInquiry(ORDER, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
    for (const status of STATUSES) assert.equal(readInquiry(ORDER, reply(status, CHARGED)).outcome, 'unknown')
  })
})

describe('what the acquirer says to a fence', () => {
  test('only its own words close the order', () => {
    assert.deepEqual(readFencing(ORDER, reply(200, VOID)), { outcome: 'fenced' })
    assert.deepEqual(readFencing(ORDER, reply(409, { error: 'order_exists', status: 'charged' })), {
      outcome: 'exists',
    })
  })

  test('everything else leaves the order as open as it was', () => {
    for (const body of [...GARBAGE, CHARGED, PENDING, DECLINED]) {
      assert.equal(readFencing(ORDER, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
    for (const status of STATUSES) assert.equal(readFencing(ORDER, reply(status, VOID)).outcome, 'unknown')
    assert.equal(readFencing(ORDER, reply(500, { error: 'order_exists' })).outcome, 'unknown')
  })
})

describe('what the acquirer says to a refund', () => {
  const refunded = { outcome: 'refunded', amountYen: 980, refundedAt: APPROVED }

  test('a refund is told with its amount and time', () => {
    assert.deepEqual(readRefund('refund-1', reply(200, REFUNDED)), refunded)
    assert.deepEqual(readRefundInquiry('refund-1', reply(200, REFUNDED)), refunded)
  })

  test('a refusal is told with its reason, and an unknown refund as not found', () => {
    for (const error of ['refund_exceeds_charge', 'order_not_charged', 'refund_mismatch']) {
      assert.deepEqual(readRefund('refund-1', reply(409, { error })), { outcome: 'refused', reason: error })
    }
    for (const error of ODD_WORDS)
      assert.deepEqual(readRefund('refund-1', reply(409, { error })), { outcome: 'refused', reason: 'other' })
    const asked = readRefundInquiry('refund-1', reply(404, { error: 'refund_not_found' }))
    assert.deepEqual(asked, { outcome: 'not_found' })
  })

  test('what cannot be read, or is about another refund, is in doubt', () => {
    const wrong = [
      null,
      {},
      { ...REFUNDED, refundId: 'another' },
      { ...REFUNDED, status: 'pending' },
      { ...REFUNDED, amount: '980' },
      { ...REFUNDED, refundedAt: 'soon' },
      { ...REFUNDED, refundedAt: undefined },
    ]
    for (const body of wrong) {
      assert.equal(readRefund('refund-1', reply(200, body)).outcome, 'unknown', JSON.stringify(body))
      assert.equal(readRefundInquiry('refund-1', reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
    for (const status of STATUSES) {
      assert.equal(readRefund('refund-1', reply(status, REFUNDED)).outcome, 'unknown')
      assert.equal(readRefundInquiry('refund-1', reply(status, REFUNDED)).outcome, 'unknown')
    }
    assert.equal(readRefund('refund-1', reply(409, null)).outcome, 'unknown')
    assert.equal(readRefundInquiry('refund-1', reply(404, { error: 'not_found' })).outcome, 'unknown')
  })
})

describe('what the acquirer lists', () => {
  const listed = { ...CHARGED, sequence: 7, refundedAmount: 980, refunds: [REFUNDED] }
  const list = (items: readonly unknown[], after: unknown = null): Reply => reply(200, { items, after })
  const line = { orderCode: ORDER, chargedYen: 1980, refunds: [{ refundId: 'refund-1', amountYen: 980 }] }

  test('a charge is told with its refunds, and orders that moved no money are left out', () => {
    const others = [PENDING, DECLINED, VOID].map((order) => ({ ...order, refunds: [] }))
    const bare = { ...listed, orderId: 'b', refunds: [] }
    assert.deepEqual(readStatement(null, list([...others, listed, bare])), {
      outcome: 'page',
      lines: [line, { orderCode: 'b', chargedYen: 1980, refunds: [] }],
      after: null,
    })
    assert.deepEqual(readStatement(null, list([])), { outcome: 'page', lines: [], after: null })
  })

  test('the next page begins where this one ends, and never before', () => {
    assert.deepEqual(readStatement(null, list([listed], 7)), { outcome: 'page', lines: [line], after: '7' })
    assert.deepEqual(readStatement('6', list([listed], 7)), { outcome: 'page', lines: [line], after: '7' })
    for (const [asked, answered] of [
      ['7', 7],
      ['8', 7],
      [null, 0],
    ] as const)
      assert.equal(readStatement(asked, list([listed], answered)).outcome, 'unknown', `${asked} ${answered}`)
  })

  test('a list with one order or refund that cannot be read says nothing at all', () => {
    const wrong = [
      { ...listed, orderId: undefined },
      { ...listed, orderId: '' },
      { ...listed, orderId: 'a b' },
      { ...listed, orderId: 'a'.repeat(65) },
      { ...listed, status: 'settled' },
      { ...listed, amount: '1980' },
      { ...listed, amount: 19.8 },
      { ...listed, currency: 'USD' },
      { ...listed, refunds: undefined },
      { ...listed, refunds: [{ ...REFUNDED, amount: null }] },
      { ...listed, refunds: [{ ...REFUNDED, refundId: 'r 1' }] },
      { ...listed, refunds: [{ ...REFUNDED, status: 'pending' }] },
      null,
      'charged',
    ]
    for (const item of wrong)
      assert.equal(readStatement(null, list([listed, item])).outcome, 'unknown', JSON.stringify(item))
    for (const body of [null, {}, [], [listed], { items: [listed] }, { items: [listed], after: '7' }, { after: null }])
      assert.equal(readStatement(null, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    for (const status of STATUSES)
      assert.equal(readStatement(null, reply(status, { items: [], after: null })).outcome, 'unknown')
  })
})

test('a charge carries the card, the code and what cleared it', () => {
  const order: ChargeOrder = {
    orderCode: ORDER,
    amountYen: 1980,
    card: cardOf('4242424242424242'),
    cvc: '737',
    clearance: { by: 'exemption', reason: 'not_enrolled' },
  }
  const body = {
    amount: 1980,
    currency: 'JPY',
    card: { number: '4242424242424242', expiryMonth: 12, expiryYear: 2099, cvc: '737', holderName: 'TARO YAMADA' },
  }
  assert.deepEqual(chargeBody(order), { ...body, authentication: null })
  const authentication = {
    transStatus: 'Y',
    eci: '05',
    authenticationValue: 'AAAB',
    dsTransId: 'ds',
    messageVersion: '2.2.0',
  } as const
  const cleared = chargeBody({ ...order, clearance: { by: 'authentication', authentication } })
  assert.deepEqual(cleared, { ...body, authentication })
})
