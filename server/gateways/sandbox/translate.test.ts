import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChargeOrder } from '#payment/ports.ts'
import { cardWithNumber } from '../../../proof/harness/cards.ts'
import {
  chargeBody,
  readCharge,
  readDisputes,
  readFencing,
  readInquiry,
  readRefund,
  readRefundInquiry,
  readStatement,
} from './translate.ts'
import type { SandboxReply } from './wire.ts'

const ORDER = 'k3v6wq2m'
const APPROVED = Date.parse('2026-11-15T05:00:00.123Z')

/** Recorded answers of the acquirer. */
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

const RECEIVED = APPROVED + 7000
/** A period that begins with the charge and ends a second after it. */
const PERIOD = { from: APPROVED, to: APPROVED + 1000 }
const reply = (status: number, body: unknown): SandboxReply => ({ status, body, receivedAt: RECEIVED })
const chargedOutcome = {
  outcome: 'charged',
  transactionId: CHARGED.transactionId,
  approvedAt: APPROVED,
  amountYen: 1980,
  card: { brand: 'visa', lastFour: '4242' },
}

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
  { ...DECLINED, orderId: 'another' },
  { error: 'order_void' },
  { error: 'order_not_found' },
]
const ECHOED = '4242424242424242'
const ODD_CODES = [
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
/** None of them names an instant: the last five would be one only in somebody's own zone, or on a day that is none. */
const ODD_TIMES: readonly unknown[] = [
  undefined,
  null,
  '',
  'yesterday',
  20260801120000,
  1785585600000,
  true,
  {},
  '20260801120000',
  '0',
  '2026',
  '2026-08-01',
  '2026-08-01T12:00:00',
  '2026-08-01 12:00:00',
  'Sat, 01 Aug 2026 12:00:00',
  '2026-02-30T12:00:00Z',
]
const NOON_IN_TOKYO = Date.UTC(2026, 7, 1, 3)
const TIMES = ['2026-08-01T12:00:00+09:00', '2026-08-01T03:00:00Z', '2026-08-01T03:00:00.000Z', '20260801T120000+0900']
const STATUSES = [201, 204, 301, 400, 401, 403, 404, 409, 429, 500, 502, 503, 504]

describe('the acquirer’s answer to a charge', () => {
  test('a charge with all its fields is a charge', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, CHARGED)), chargedOutcome)
  })

  test('the amount is the acquirer’s, for the record to compare', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, { ...CHARGED, amount: 1 })), { ...chargedOutcome, amountYen: 1 })
  })

  test('a decline is a decline, with or without its reason', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, DECLINED)), { outcome: 'declined', reason: 'card_declined' })
    for (const reason of [null, undefined]) {
      const outcome = readCharge(ORDER, reply(200, { ...DECLINED, reason }))
      assert.deepEqual(outcome, { outcome: 'declined', reason: 'no reason given' })
    }
  })

  test('a reason that is no plain code is not kept: it may repeat the card', () => {
    for (const reason of ['a', 'do_not_honor_05', 'a'.repeat(64)])
      assert.deepEqual(readCharge(ORDER, reply(200, { ...DECLINED, reason })), { outcome: 'declined', reason })
    for (const reason of [...ODD_CODES, 51, true, {}])
      for (const read of [readCharge, readInquiry])
        assert.deepEqual(read(ORDER, reply(200, { ...DECLINED, reason })), { outcome: 'declined', reason: 'other' })
  })

  test('a charge whose transaction id cannot be used is a charge, with its order as the transaction id', () => {
    for (const transactionId of ['a', 'TXN_1.2:3-4', '20261115', '9000000000000001', 'a'.repeat(64)])
      assert.deepEqual(readCharge(ORDER, reply(200, { ...CHARGED, transactionId })), {
        ...chargedOutcome,
        transactionId,
      })
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
    const noTexts = [undefined, null, 17, 20261115123456780000, true, {}, ['txn_1']]
    for (const transactionId of [...odd, ECHOED, `${ECHOED}:737`, ...noTexts])
      for (const read of [readCharge, readInquiry])
        assert.deepEqual(
          read(ORDER, reply(200, { ...CHARGED, transactionId })),
          { ...chargedOutcome, transactionId: `order_${ORDER}` },
          JSON.stringify(transactionId),
        )
  })

  test('a charge whose time cannot be read is a charge at the time of the answer', () => {
    for (const read of [readCharge, readInquiry]) {
      for (const approvedAt of TIMES) {
        const outcome = read(ORDER, reply(200, { ...CHARGED, approvedAt }))
        assert.deepEqual(outcome, { ...chargedOutcome, approvedAt: NOON_IN_TOKYO }, approvedAt)
      }
      for (const approvedAt of ODD_TIMES) {
        const outcome = read(ORDER, reply(200, { ...CHARGED, approvedAt }))
        assert.deepEqual(outcome, { ...chargedOutcome, approvedAt: RECEIVED }, JSON.stringify(approvedAt))
      }
    }
  })

  test('a fenced order is void, in both forms of the answer', () => {
    assert.deepEqual(readCharge(ORDER, reply(200, VOID)), { outcome: 'not_charged' })
    assert.deepEqual(readCharge(ORDER, reply(409, { error: 'order_void' })), { outcome: 'not_charged' })
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

describe('the acquirer’s answer to an inquiry', () => {
  test('each state of an order is an outcome of its own', () => {
    assert.deepEqual(readInquiry(ORDER, reply(200, CHARGED)), chargedOutcome)
    assert.deepEqual(readInquiry(ORDER, reply(200, DECLINED)), { outcome: 'declined', reason: 'card_declined' })
    assert.deepEqual(readInquiry(ORDER, reply(200, PENDING)), { outcome: 'pending' })
    assert.deepEqual(readInquiry(ORDER, reply(200, VOID)), { outcome: 'not_charged' })
    assert.deepEqual(readInquiry(ORDER, reply(404, { error: 'order_not_found' })), { outcome: 'not_found' })
  })

  test('a 404 of something on the way is no answer of the acquirer', () => {
    for (const body of [null, {}, '<html>', { error: 'not_found' }, { message: 'order_not_found' }]) {
      assert.equal(readInquiry(ORDER, reply(404, body)).outcome, 'unknown')
    }
  })

  test('an answer that cannot be read leaves the charge in doubt', () => {
    for (const body of GARBAGE) {
      assert.equal(readInquiry(ORDER, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
    for (const status of STATUSES) assert.equal(readInquiry(ORDER, reply(status, CHARGED)).outcome, 'unknown')
  })
})

describe('the acquirer’s answer to a fence', () => {
  test('only the answers void and order_exists decide a fence', () => {
    assert.deepEqual(readFencing(ORDER, reply(200, VOID)), { outcome: 'fenced' })
    assert.deepEqual(readFencing(ORDER, reply(409, { error: 'order_exists', status: 'charged' })), {
      outcome: 'exists',
    })
  })

  test('every other answer leaves the fence unknown', () => {
    for (const body of [...GARBAGE, CHARGED, PENDING, DECLINED]) {
      assert.equal(readFencing(ORDER, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
    for (const status of STATUSES) assert.equal(readFencing(ORDER, reply(status, VOID)).outcome, 'unknown')
    assert.equal(readFencing(ORDER, reply(500, { error: 'order_exists' })).outcome, 'unknown')
  })
})

describe('the acquirer’s answer to a refund', () => {
  const refunded = { outcome: 'refunded', amountYen: 980, refundedAt: APPROVED }
  const IDS = { orderCode: ORDER, refundId: 'refund-1' }

  test('a refund is read with its amount and time', () => {
    assert.deepEqual(readRefund(IDS, reply(200, REFUNDED)), refunded)
    assert.deepEqual(readRefundInquiry(IDS, reply(200, REFUNDED)), refunded)
  })

  test('a refund whose time cannot be read is a refund at the time of the answer', () => {
    for (const read of [readRefund, readRefundInquiry]) {
      for (const refundedAt of TIMES)
        assert.deepEqual(read(IDS, reply(200, { ...REFUNDED, refundedAt })), { ...refunded, refundedAt: NOON_IN_TOKYO })
      for (const refundedAt of ODD_TIMES) {
        const outcome = read(IDS, reply(200, { ...REFUNDED, refundedAt }))
        assert.deepEqual(outcome, { ...refunded, refundedAt: RECEIVED }, JSON.stringify(refundedAt))
      }
    }
  })

  test('a final refusal is read with its reason, and an unknown refund as not found', () => {
    for (const error of ['refund_exceeds_charge', 'order_not_charged'])
      assert.deepEqual(readRefund(IDS, reply(409, { error })), { outcome: 'refused', reason: error })
    const asked = readRefundInquiry(IDS, reply(404, { error: 'refund_not_found' }))
    assert.deepEqual(asked, { outcome: 'not_found' })
  })

  test('any other conflict is in doubt: money has moved under this id, or still may', () => {
    const passing = ['refund_mismatch', 'request_in_progress', 'rate_limited', 'try_again_later', 'order_void', 'other']
    for (const error of passing)
      assert.deepEqual(readRefund(IDS, reply(409, { error })), { outcome: 'unknown', why: `HTTP 409, ${error}` })
    for (const error of [...ODD_CODES, 'Refund_Exceeds_Charge', ' order_not_charged'])
      assert.deepEqual(readRefund(IDS, reply(409, { error })), { outcome: 'unknown', why: 'HTTP 409, other' })
    for (const body of [null, '', {}, { error: null }, { error: ['order_not_charged'] }, '<html>order_not_charged'])
      assert.deepEqual(readRefund(IDS, reply(409, body)), { outcome: 'unknown', why: 'HTTP 409' })
  })

  test('a refusal with any other status is in doubt', () => {
    for (const status of STATUSES.filter((each) => each !== 409))
      assert.equal(readRefund(IDS, reply(status, { error: 'order_not_charged' })).outcome, 'unknown', String(status))
    assert.equal(readRefund(IDS, reply(200, { error: 'order_not_charged' })).outcome, 'unknown')
  })

  test('an answer that cannot be read, or is about another refund or the refund of another order, is in doubt', () => {
    const wrong = [
      null,
      {},
      { ...REFUNDED, refundId: 'another' },
      { ...REFUNDED, refundId: undefined },
      { ...REFUNDED, orderId: 'another' },
      { ...REFUNDED, orderId: undefined },
      { ...REFUNDED, status: 'pending' },
      { ...REFUNDED, amount: '980' },
    ]
    for (const body of wrong) {
      assert.equal(readRefund(IDS, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
      assert.equal(readRefundInquiry(IDS, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    }
    for (const status of STATUSES) {
      assert.equal(readRefund(IDS, reply(status, REFUNDED)).outcome, 'unknown')
      assert.equal(readRefundInquiry(IDS, reply(status, REFUNDED)).outcome, 'unknown')
    }
    assert.equal(readRefundInquiry(IDS, reply(404, { error: 'not_found' })).outcome, 'unknown')
  })
})

test('only a 5xx counts as a missing answer of the acquirer; any other status shows that it is up', () => {
  const isSilence = (status: number): unknown[] =>
    [
      readCharge(ORDER, reply(status, null)),
      readInquiry(ORDER, reply(status, null)),
      readFencing(ORDER, reply(status, null)),
      readRefund({ orderCode: ORDER, refundId: 'r' }, reply(status, null)),
      readRefundInquiry({ orderCode: ORDER, refundId: 'r' }, reply(status, null)),
      readStatement(PERIOD, null, reply(status, null)),
      readDisputes(null, reply(status, null)),
    ].map((outcome) => 'isSilence' in outcome)
  for (const status of [500, 502, 503, 504, 520, 599]) assert.deepEqual(new Set(isSilence(status)), new Set([true]))
  for (const status of [200, 201, 301, 400, 401, 404, 409, 422, 429, 499])
    assert.deepEqual(new Set(isSilence(status)), new Set([false]), String(status))
})

const MOVEMENT = { movementId: 'mov_1', kind: 'chargeback', amount: 1980, movedAt: CHARGED.approvedAt }
const DISPUTED = {
  disputeId: 'dsp_1',
  orderId: ORDER,
  status: 'open',
  amount: 1980,
  currency: 'JPY',
  reason: 'fraudulent',
  openedAt: CHARGED.approvedAt,
  respondBy: new Date(APPROVED + 1000).toISOString(),
  movements: [MOVEMENT],
}
const taken = { kind: 'chargeback', movementId: 'mov_1', amountYen: 1980, movedAt: APPROVED }

describe('the acquirer’s disputes', () => {
  const pageOf = (items: readonly unknown[], after: string | null, next: unknown) =>
    readDisputes(after, reply(200, { items, after: next }))
  const disputesOf = (item: object, after: string | null = null, next: unknown = null) => pageOf([item], after, next)
  const dispute = {
    disputeId: 'dsp_1',
    orderCode: ORDER,
    status: 'open',
    amountYen: 1980,
    reason: 'fraudulent',
    respondBy: APPROVED + 1000,
    openedAt: APPROVED,
    movements: [taken],
  }

  test('a dispute is told with its order, its money and the time until which the shop can answer', () => {
    assert.deepEqual(disputesOf(DISPUTED), { outcome: 'page', disputes: [dispute], unreadable: [], after: null })
    const closed = { ...DISPUTED, status: 'won', respondBy: null, reason: undefined, movements: [] }
    assert.deepEqual(disputesOf(closed, '6', 7), {
      outcome: 'page',
      disputes: [{ ...dispute, status: 'won', respondBy: null, reason: null, movements: [] }],
      unreadable: [],
      after: '7',
    })
  })

  test('a dispute that cannot be read is named by itself, and hides no other of its page', () => {
    const wrong = [
      { status: 'closed' },
      { amount: '1980' },
      { currency: 'USD' },
      { orderId: 'a b' },
      { movements: undefined },
      { movements: [{ ...MOVEMENT, kind: 'fee' }] },
    ]
    const why = 'what the acquirer says of it cannot be read'
    for (const changes of wrong) {
      const page = pageOf([{ ...DISPUTED, disputeId: 'dsp_0', ...changes }, DISPUTED], null, null)
      const orderCode = 'orderId' in changes ? null : ORDER
      const unreadable = [{ disputeId: 'dsp_0', orderCode, why }]
      assert.deepEqual(page, { outcome: 'page', disputes: [dispute], unreadable, after: null }, JSON.stringify(changes))
    }
    for (const item of [null, 'dsp_0', {}, { disputeId: 'dsp 0' }])
      assert.deepEqual(pageOf([item, DISPUTED], null, null), {
        outcome: 'page',
        disputes: [dispute],
        unreadable: [{ disputeId: null, orderCode: null, why }],
        after: null,
      })
  })

  test('a list that leads nowhere, or is none, is unknown', () => {
    assert.equal(disputesOf(DISPUTED, '7', 7).outcome, 'unknown')
    for (const status of STATUSES)
      assert.equal(readDisputes(null, reply(status, { items: [], after: null })).outcome, 'unknown')
  })
})

describe('the acquirer’s statement', () => {
  const listed = { ...CHARGED, sequence: 7, refundedAmount: 980, refunds: [REFUNDED], disputeMovements: [] }
  const list = (items: readonly unknown[], after: unknown = null): SandboxReply => reply(200, { items, after })
  const charge = { kind: 'charge', orderCode: ORDER, reference: ORDER, amountYen: 1980, movedAt: APPROVED }
  const refund = {
    kind: 'refund',
    orderCode: ORDER,
    refundId: 'refund-1',
    amountYen: 980,
    movedAt: APPROVED,
  }

  test('a charge is listed with its refunds, an order that is not decided by its code, and others that moved no money are left out', () => {
    const others = [PENDING, DECLINED, VOID].map((order) => ({ ...order, refunds: [], disputeMovements: [] }))
    const bare = { ...listed, orderId: 'b', refunds: [] }
    assert.deepEqual(readStatement(PERIOD, null, list([...others, listed, bare])), {
      outcome: 'page',
      lines: [charge, refund, { ...charge, orderCode: 'b', reference: 'b' }],
      pending: [{ orderCode: ORDER, reference: ORDER }],
      after: null,
    })
    assert.deepEqual(readStatement(PERIOD, null, list([])), { outcome: 'page', lines: [], pending: [], after: null })
  })

  test('a charge and a refund are listed in the period in which they moved, from its first moment and before its last', () => {
    const [before, within, last, after] = [-1, 0, 999, 1000].map((ms) => new Date(APPROVED + ms).toISOString())
    const linesOf = (approvedAt: unknown, refundedAt: unknown): unknown[] => {
      const page = readStatement(
        PERIOD,
        null,
        list([{ ...listed, approvedAt, refunds: [{ ...REFUNDED, refundedAt }] }]),
      )
      return page.outcome === 'page' ? page.lines.map(({ kind }) => kind) : [page.why]
    }
    assert.deepEqual(linesOf(within, last), ['charge', 'refund'])
    assert.deepEqual(linesOf(before, within), ['refund'])
    assert.deepEqual(linesOf(last, after), ['charge'])
    assert.deepEqual(linesOf(before, after), [])
    assert.deepEqual(linesOf(after, before), [])
  })

  test('money that a dispute took or gave back in the period is a line of its own', () => {
    const back = { ...MOVEMENT, movementId: 'mov_2', kind: 'chargeback_reversal' }
    const later = { ...MOVEMENT, movementId: 'mov_3', movedAt: new Date(APPROVED + 1000).toISOString() }
    const page = readStatement(PERIOD, null, list([{ ...listed, disputeMovements: [MOVEMENT, back, later] }]))
    if (page.outcome !== 'page') assert.fail(page.why)
    assert.deepEqual(page.lines.slice(2), [
      { orderCode: ORDER, ...taken },
      { orderCode: ORDER, ...taken, movementId: 'mov_2', kind: 'chargeback_reversal' },
    ])
  })

  test('a movement whose time cannot be read is part of every period, at the time of the answer', () => {
    const page = readStatement(
      PERIOD,
      null,
      list([{ ...listed, approvedAt: 'today', refunds: [{ ...REFUNDED, refundedAt: null }] }]),
    )
    if (page.outcome !== 'page') assert.fail(page.why)
    assert.deepEqual(page.lines, [
      { ...charge, movedAt: RECEIVED },
      { ...refund, movedAt: RECEIVED },
    ])
  })

  test('the next page begins where this one ends, and never before', () => {
    assert.deepEqual(readStatement(PERIOD, null, list([listed], 7)), {
      outcome: 'page',
      lines: [charge, refund],
      pending: [],
      after: '7',
    })
    assert.deepEqual(readStatement(PERIOD, '6', list([listed], 7)), {
      outcome: 'page',
      lines: [charge, refund],
      pending: [],
      after: '7',
    })
    for (const [asked, answered] of [
      ['7', 7],
      ['8', 7],
      [null, 0],
    ] as const)
      assert.equal(readStatement(PERIOD, asked, list([listed], answered)).outcome, 'unknown', `${asked} ${answered}`)
  })

  test('a statement page with one order or refund that cannot be read is unknown as a whole', () => {
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
      { ...listed, disputeMovements: undefined },
      { ...listed, disputeMovements: [{ ...MOVEMENT, amount: null }] },
      { ...listed, disputeMovements: [{ ...MOVEMENT, kind: 'fee' }] },
      { ...listed, refunds: [{ ...REFUNDED, amount: null }] },
      { ...listed, refunds: [{ ...REFUNDED, refundId: 'r 1' }] },
      { ...listed, refunds: [{ ...REFUNDED, status: 'pending' }] },
      null,
      'charged',
    ]
    for (const item of wrong)
      assert.equal(readStatement(PERIOD, null, list([listed, item])).outcome, 'unknown', JSON.stringify(item))
    for (const body of [null, {}, [], [listed], { items: [listed] }, { items: [listed], after: '7' }, { after: null }])
      assert.equal(readStatement(PERIOD, null, reply(200, body)).outcome, 'unknown', JSON.stringify(body))
    for (const status of STATUSES)
      assert.equal(readStatement(PERIOD, null, reply(status, { items: [], after: null })).outcome, 'unknown')
  })
})

test('a charge request carries the card, the security code and its clearance', () => {
  const order: ChargeOrder = {
    orderCode: ORDER,
    amountYen: 1980,
    card: cardWithNumber('4242424242424242'),
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
