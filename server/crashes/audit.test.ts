import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANSWERED_AT_ONCE_MS } from '#payment/charge.ts'
import { audit, type Evidence, type Finding } from './audit.ts'

const attempt = (orderCode: string, checkoutId: string, state: string) => ({
  orderCode,
  checkoutId,
  state,
  wasInDoubt: false,
  flightMs: 0,
})

/** One payment with half of it given back, one cancelled checkout, one expired after a doubt: all as it should be. */
const sound: Evidence = {
  acknowledged: [
    { said: 'created', checkoutId: 'tea', amountYen: 1000 },
    { said: 'created', checkoutId: 'cup', amountYen: 300 },
    { said: 'started', checkoutId: 'tea', orderCode: 'o1' },
    { said: 'authenticated', orderCode: 'o1', checkCode: 'c1' },
    { said: 'nothing charged', orderCode: 'o1' },
    { said: 'started', checkoutId: 'tea', orderCode: 'o2' },
    { said: 'paid', checkoutId: 'tea', transactionId: 't2' },
    { said: 'refund', checkoutId: 'tea', refundId: 'r1', amountYen: 400, status: 'pending' },
    { said: 'refund', checkoutId: 'tea', refundId: 'r1', amountYen: 400, status: 'refunded' },
    { said: 'cancelled', checkoutId: 'cup' },
  ],
  books: [
    { orderId: 'o1', status: 'declined', amount: 1000, refunds: [] },
    {
      orderId: 'o2',
      status: 'charged',
      amount: 1000,
      transactionId: 't2',
      refunds: [{ refundId: 'r1', amount: 400 }],
    },
  ],
  rows: {
    checkouts: [
      { id: 'tea', status: 'paid', amountYen: 1000, orderCode: 'o2', transactionId: 't2' },
      { id: 'cup', status: 'cancelled', amountYen: 300, orderCode: null, transactionId: null },
      { id: 'pot', status: 'expired', amountYen: 700, orderCode: null, transactionId: null },
    ],
    attempts: [
      attempt('o1', 'tea', 'declined'),
      attempt('o2', 'tea', 'charged'),
      { ...attempt('o6', 'pot', 'void'), wasInDoubt: true },
      { ...attempt('o7', 'pot', 'declined'), flightMs: ANSWERED_AT_ONCE_MS + 1 },
      { ...attempt('o8', 'pot', 'declined'), flightMs: ANSWERED_AT_ONCE_MS },
    ],
    checkCodes: new Map([['o1', 'c1']]),
    refunds: [{ checkoutId: 'tea', refundId: 'r1', amountYen: 400, state: 'refunded' }],
    ledger: [
      { checkoutId: 'tea', entry: 'charge o2', account: 'acquirer', amountYen: 1000 },
      { checkoutId: 'tea', entry: 'charge o2', account: 'merchant', amountYen: -1000 },
      { checkoutId: 'tea', entry: 'refund o2 r1', account: 'acquirer', amountYen: -400 },
      { checkoutId: 'tea', entry: 'refund o2 r1', account: 'merchant', amountYen: 400 },
    ],
    letters: [
      { checkoutId: 'tea', kind: 'webhook', event: 'checkout.paid' },
      { checkoutId: 'tea', kind: 'mail', event: 'receipt' },
      { checkoutId: 'tea', kind: 'webhook', event: 'refund' },
      { checkoutId: 'tea', kind: 'mail', event: 'refund' },
      { checkoutId: 'cup', kind: 'webhook', event: 'checkout.cancelled' },
      { checkoutId: 'pot', kind: 'mail', event: 'nothing_charged' },
      { checkoutId: 'pot', kind: 'mail', event: 'nothing_charged' },
      { checkoutId: 'pot', kind: 'webhook', event: 'checkout.expired' },
    ],
    doubts: 0,
  },
}

const { acknowledged, books, rows } = sound
const withRows = (changed: Partial<Evidence['rows']>): Evidence => ({ ...sound, rows: { ...rows, ...changed } })
const withBooks = (...changed: Evidence['books']): Evidence => ({
  ...sound,
  books: [...books.filter(({ orderId }) => !changed.some((each) => each.orderId === orderId)), ...changed],
})
const [tea, cup, pot] = rows.checkouts
const [, charge] = books
if (tea === undefined || cup === undefined || pot === undefined || charge === undefined)
  throw new Error('the sound evidence is incomplete')

const tampered: readonly (readonly [name: string, Evidence, Finding['kind'], RegExp])[] = [
  [
    'a second charge of the same checkout',
    withBooks({ ...charge, orderId: 'o1', refunds: [] }),
    'double charge',
    /^checkout tea was charged 2 times$/,
  ],
  [
    'a payment that was acknowledged and is open again',
    withRows({ checkouts: [{ ...tea, status: 'open' }, cup, pot] }),
    'lost',
    /"said":"paid","checkoutId":"tea"/,
  ],
  [
    'a payment acknowledged under another transaction',
    { ...sound, acknowledged: [...acknowledged, { said: 'paid', checkoutId: 'tea', transactionId: 't9' }] },
    'lost',
    /"transactionId":"t9"/,
  ],
  [
    'a checkout that was created and is gone',
    withRows({ checkouts: [tea, pot] }),
    'lost',
    /"created","checkoutId":"cup"/,
  ],
  ['a start that is gone', withRows({ attempts: rows.attempts.slice(1) }), 'lost', /"started".*"orderCode":"o1"/],
  ['an authentication that is gone', withRows({ checkCodes: new Map() }), 'lost', /"checkCode":"c1"/],
  [
    'a cancellation that did not hold',
    withRows({ checkouts: [tea, { ...cup, status: 'open' }, pot] }),
    'lost',
    /"said":"cancelled","checkoutId":"cup"/,
  ],
  ['a refund that is gone', withRows({ refunds: [] }), 'lost', /"refundId":"r1".*"status":"pending"/],
  [
    'a refund that was said to be given back and was not',
    withRows({ refunds: rows.refunds.map((refund) => ({ ...refund, state: 'refused' })) }),
    'lost',
    /"refundId":"r1".*"status":"refunded"/,
  ],
  [
    'a shopper who was told that nothing was charged',
    { ...sound, acknowledged: [...acknowledged, { said: 'nothing charged', orderCode: 'o2' }] },
    'lost',
    /"nothing charged","orderCode":"o2"/,
  ],
  [
    'a charge that stays in doubt',
    withRows({ attempts: [...rows.attempts, attempt('o3', 'cup', 'unknown')] }),
    'unsettled',
    /^attempt o3 is still unknown$/,
  ],
  [
    'a charge that stays under way',
    withRows({ attempts: [...rows.attempts, attempt('o3', 'cup', 'charging')] }),
    'unsettled',
    /^attempt o3 is still charging$/,
  ],
  [
    'a refund that nobody finishes',
    withRows({
      refunds: [...rows.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 1, state: 'requested' }],
    }),
    'unsettled',
    /^refund r2 of checkout tea is still requested$/,
  ],
  [
    'an order that the acquirer has not decided',
    withBooks({ orderId: 'o4', status: 'pending', amount: 1, refunds: [] }),
    'unsettled',
    /^the acquirer still weighs o4$/,
  ],
  [
    'a charge that nobody here knows',
    withBooks({ ...charge, orderId: 'o9' }, charge),
    'untrue',
    /^order o9 was charged and nobody here knows it$/,
  ],
  [
    'a charge of a checkout that is cancelled',
    {
      ...withRows({ attempts: [...rows.attempts, attempt('o5', 'cup', 'charged')] }),
      books: [...books, { ...charge, orderId: 'o5', refunds: [] }],
    },
    'untrue',
    /^checkout cup was charged and is cancelled$/,
  ],
  [
    'a paid checkout without a charge',
    withBooks({ ...charge, status: 'void' }),
    'untrue',
    /^checkout tea is paid and was never charged$/,
  ],
  ['another amount', withBooks({ ...charge, amount: 999 }), 'untrue', /^checkout tea of 1000 yen was charged 999$/],
  ['another transaction', withBooks({ ...charge, transactionId: 't7' }), 'untrue', /names another charge than the acq/],
  ['a refund at the acquirer alone', withRows({ refunds: [] }), 'untrue', /gave back "", and by the acquirer "r1: 400/],
  [
    'a checkout that is refunded too early',
    withRows({ checkouts: [{ ...tea, status: 'refunded' }, cup, pot] }),
    'untrue',
    /^checkout tea is refunded with 400 of 1000 yen given back$/,
  ],
  [
    'a missing ledger entry',
    withRows({ ledger: rows.ledger.slice(0, 2) }),
    'untrue',
    /has 1000 yen in the ledger, not/,
  ],
  ['half a ledger entry', withRows({ ledger: rows.ledger.slice(0, 3) }), 'untrue', /out of balance: refund o2 r1$/],
  [
    'a receipt that is never written',
    withRows({ letters: rows.letters.filter(({ event }) => event !== 'receipt') }),
    'untrue',
    /^checkout tea has 0 of "mail receipt", not 1$/,
  ],
  [
    'a merchant who is told twice',
    withRows({ letters: [...rows.letters, { checkoutId: 'tea', kind: 'webhook', event: 'checkout.paid' }] }),
    'untrue',
    /^checkout tea has 2 of "webhook checkout\.paid", not 1$/,
  ],
  [
    'an expiry that its merchant never hears of',
    withRows({ letters: rows.letters.filter(({ event }) => event !== 'checkout.expired') }),
    'untrue',
    /^checkout pot has 0 of "webhook checkout\.expired", not 1$/,
  ],
  [
    'a failure that its merchant never hears of',
    withRows({ checkouts: [tea, cup, { ...pot, status: 'failed' }] }),
    'untrue',
    /^checkout pot has 0 of "webhook checkout\.failed", not 1$/,
  ],
  [
    'an expiry that never was',
    withRows({ letters: [...rows.letters, { checkoutId: 'tea', kind: 'webhook', event: 'checkout.expired' }] }),
    'untrue',
    /^checkout tea has 1 of "webhook checkout\.expired", not 0$/,
  ],
  [
    'a shopper who is never told how a doubt ended',
    withRows({ letters: rows.letters.filter((letter) => letter !== rows.letters.at(-2)) }),
    'untrue',
    /^checkout pot has 1 of "mail nothing_charged", not 2$/,
  ],
  [
    'a shopper who paid and is told that nothing was charged',
    withRows({ letters: [...rows.letters, { checkoutId: 'tea', kind: 'mail', event: 'nothing_charged' }] }),
    'untrue',
    /^checkout tea has 1 of "mail nothing_charged", not 0$/,
  ],
  [
    'a letter that nobody thought of',
    withRows({ letters: [...rows.letters, { checkoutId: 'cup', kind: 'mail', event: 'greetings' }] }),
    'untrue',
    /^checkout cup has 1 of "mail greetings", not 0$/,
  ],
]

describe('the audit after the kills', () => {
  test('finds nothing where every word was kept', () => {
    assert.deepEqual(audit(sound), [])
  })

  for (const [name, evidence, kind, line] of tampered) {
    test(`names ${name}`, () => {
      const ofKind = audit(evidence).filter((finding) => finding.kind === kind)
      assert.ok(
        ofKind.some((finding) => line.test(finding.line)),
        JSON.stringify(audit(evidence)),
      )
    })
  }
})
