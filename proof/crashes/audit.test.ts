import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import type { AcquirerOrder } from '../promises/checkout-records.ts'
import type { StoredRecords } from '../promises/stored-records.ts'
import { audit, type AuditRecords, type Finding } from './audit.ts'

const attempt = (orderCode: string, checkoutId: string, state: string) => ({
  orderCode,
  checkoutId,
  state,
  wasInDoubt: false,
  claimToEndMs: 0,
})

const mailRow = (checkoutId: string, kind: string, about?: string) => ({
  id: `${checkoutId}.${kind}${about === undefined ? '' : `.${about}`}`,
  checkoutId,
  kind,
})

const eventRow = (checkoutId: string, sequence: number, type: string, refundId: string | null = null) => ({
  id: `${checkoutId}.${sequence}`,
  checkoutId,
  sequence,
  type,
  refundId,
})

/** Records that agree: one payment with a part refunded, one cancelled checkout, one that expired after a doubt. */
const consistent: AuditRecords = {
  acknowledgements: [
    { event: 'created', checkoutId: 'tea', amountYen: 1000 },
    { event: 'created', checkoutId: 'cup', amountYen: 300 },
    { event: 'started', checkoutId: 'tea', orderCode: 'o1' },
    { event: 'authenticated', orderCode: 'o1', checkCode: 'c1' },
    { event: 'nothing charged', orderCode: 'o1' },
    { event: 'started', checkoutId: 'tea', orderCode: 'o2' },
    { event: 'paid', checkoutId: 'tea', transactionId: 't2' },
    { event: 'refund', checkoutId: 'tea', refundId: 'r1', amountYen: 400, status: 'pending' },
    { event: 'refund', checkoutId: 'tea', refundId: 'r1', amountYen: 400, status: 'refunded' },
    { event: 'cancelled', checkoutId: 'cup' },
  ],
  acquirerOrders: [
    { orderCode: 'o1', status: 'declined', amountYen: 1000, transactionId: null, refunds: [] },
    {
      orderCode: 'o2',
      status: 'charged',
      amountYen: 1000,
      transactionId: 't2',
      refunds: [{ refundId: 'r1', amountYen: 400 }],
    },
  ],
  checkCodes: new Map([['o1', 'c1']]),
  stored: {
    checkouts: [
      { id: 'tea', status: 'paid', amountYen: 1000, orderCode: 'o2', transactionId: 't2' },
      { id: 'cup', status: 'cancelled', amountYen: 300, orderCode: null, transactionId: null },
      { id: 'pot', status: 'expired', amountYen: 700, orderCode: null, transactionId: null },
    ],
    attempts: [
      attempt('o1', 'tea', 'declined'),
      attempt('o2', 'tea', 'charged'),
      { ...attempt('o6', 'pot', 'void'), wasInDoubt: true },
      { ...attempt('o7', 'pot', 'declined'), claimToEndMs: IMMEDIATE_ANSWER_MS + 1 },
      { ...attempt('o8', 'pot', 'declined'), claimToEndMs: IMMEDIATE_ANSWER_MS },
    ],
    refunds: [{ checkoutId: 'tea', refundId: 'r1', amountYen: 400, state: 'refunded' }],
    ledger: [
      { checkoutId: 'tea', entry: 'charge o2', account: 'acquirer', amountYen: 1000 },
      { checkoutId: 'tea', entry: 'charge o2', account: 'merchant', amountYen: -1000 },
      { checkoutId: 'tea', entry: 'refund o2 r1', account: 'acquirer', amountYen: -400 },
      { checkoutId: 'tea', entry: 'refund o2 r1', account: 'merchant', amountYen: 400 },
    ],
    mails: [
      mailRow('tea', 'receipt'),
      mailRow('tea', 'refund', 'r1'),
      mailRow('pot', 'nothing_charged', 'o6'),
      mailRow('pot', 'nothing_charged', 'o7'),
    ],
    events: [
      eventRow('tea', 1, 'checkout.paid'),
      eventRow('tea', 2, 'refund.succeeded', 'r1'),
      eventRow('cup', 1, 'checkout.cancelled'),
      eventRow('pot', 1, 'alert.payment_in_doubt'),
      eventRow('pot', 2, 'checkout.expired'),
    ],
  },
}

const { acknowledgements, acquirerOrders, stored } = consistent
const withStored = (changed: Partial<StoredRecords>): AuditRecords => ({
  ...consistent,
  stored: { ...stored, ...changed },
})
const withMail = (...more: Parameters<typeof mailRow>): AuditRecords =>
  withStored({ mails: [...stored.mails, mailRow(...more)] })
const withoutMail = (id: string): AuditRecords => withStored({ mails: stored.mails.filter((each) => each.id !== id) })
const withEvent = (...more: Parameters<typeof eventRow>): AuditRecords =>
  withStored({ events: [...stored.events, eventRow(...more)] })
const withoutEvent = (id: string): AuditRecords =>
  withStored({ events: stored.events.filter((each) => each.id !== id) })
const withOrders = (...changed: AcquirerOrder[]): AuditRecords => ({
  ...consistent,
  acquirerOrders: [
    ...acquirerOrders.filter(({ orderCode }) => !changed.some((each) => each.orderCode === orderCode)),
    ...changed,
  ],
})
const [tea, cup, pot] = stored.checkouts
const [, charge] = acquirerOrders
if (tea === undefined || cup === undefined || pot === undefined || charge === undefined)
  throw new Error('the consistent records are incomplete')

const tampered: readonly (readonly [name: string, AuditRecords, Finding['kind'], RegExp])[] = [
  [
    'a second charge of the same checkout',
    withOrders({ ...charge, orderCode: 'o1', refunds: [] }),
    'double charge',
    /^checkout tea was charged 2 times$/,
  ],
  [
    'a payment that was acknowledged and is open again',
    withStored({ checkouts: [{ ...tea, status: 'open' }, cup, pot] }),
    'lost',
    /"event":"paid","checkoutId":"tea"/,
  ],
  [
    'a payment acknowledged under another transaction',
    {
      ...consistent,
      acknowledgements: [...acknowledgements, { event: 'paid', checkoutId: 'tea', transactionId: 't9' }],
    },
    'lost',
    /"transactionId":"t9"/,
  ],
  [
    'a checkout that was created and is gone',
    withStored({ checkouts: [tea, pot] }),
    'lost',
    /"created","checkoutId":"cup"/,
  ],
  ['a start that is gone', withStored({ attempts: stored.attempts.slice(1) }), 'lost', /"started".*"orderCode":"o1"/],
  ['an authentication that is gone', { ...consistent, checkCodes: new Map() }, 'lost', /"checkCode":"c1"/],
  [
    'a cancellation that did not hold',
    withStored({ checkouts: [tea, { ...cup, status: 'open' }, pot] }),
    'lost',
    /"event":"cancelled","checkoutId":"cup"/,
  ],
  ['a refund that is gone', withStored({ refunds: [] }), 'lost', /"refundId":"r1".*"status":"pending"/],
  [
    'a refund that was acknowledged and then refused',
    withStored({ refunds: stored.refunds.map((refund) => ({ ...refund, state: 'refused' })) }),
    'lost',
    /"refundId":"r1".*"status":"refunded"/,
  ],
  [
    'a charge of which a shopper read that nothing was charged',
    { ...consistent, acknowledgements: [...acknowledgements, { event: 'nothing charged', orderCode: 'o2' }] },
    'lost',
    /"nothing charged","orderCode":"o2"/,
  ],
  [
    'a charge that stays in doubt',
    withStored({ attempts: [...stored.attempts, attempt('o3', 'cup', 'unknown')] }),
    'unsettled',
    /^attempt o3 is still unknown$/,
  ],
  [
    'a charge that stays under way',
    withStored({ attempts: [...stored.attempts, attempt('o3', 'cup', 'charging')] }),
    'unsettled',
    /^attempt o3 is still charging$/,
  ],
  [
    'a refund that stays requested',
    withStored({
      refunds: [...stored.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 1, state: 'requested' }],
    }),
    'unsettled',
    /^refund r2 of checkout tea is still requested$/,
  ],
  [
    'an order that is still pending at the acquirer',
    withOrders({ orderCode: 'o4', status: 'pending', amountYen: 1, transactionId: null, refunds: [] }),
    'unsettled',
    /^the acquirer still weighs o4$/,
  ],
  [
    'a charge of no attempt of ours',
    withOrders({ ...charge, orderCode: 'o9' }, charge),
    'untrue',
    /^order o9 was charged and nobody here knows it$/,
  ],
  [
    'a charge of a checkout that is cancelled',
    {
      ...withStored({ attempts: [...stored.attempts, attempt('o5', 'cup', 'charged')] }),
      acquirerOrders: [...acquirerOrders, { ...charge, orderCode: 'o5', refunds: [] }],
    },
    'untrue',
    /^checkout cup was charged and is cancelled$/,
  ],
  [
    'a paid checkout without a charge',
    withOrders({ ...charge, status: 'void' }),
    'untrue',
    /^checkout tea is paid and was never charged$/,
  ],
  [
    'a charge of another amount',
    withOrders({ ...charge, amountYen: 999 }),
    'untrue',
    /^checkout tea of 1000 yen was charged 999$/,
  ],
  [
    'a charge under another transaction',
    withOrders({ ...charge, transactionId: 't7' }),
    'untrue',
    /names another charge than the acq/,
  ],
  [
    'a refund at the acquirer alone',
    withStored({ refunds: [] }),
    'untrue',
    /gave back "", and by the acquirer "r1: 400/,
  ],
  [
    'a checkout that is refunded too early',
    withStored({ checkouts: [{ ...tea, status: 'refunded' }, cup, pot] }),
    'untrue',
    /^checkout tea is refunded with 400 of 1000 yen given back$/,
  ],
  [
    'a missing ledger entry',
    withStored({ ledger: stored.ledger.slice(0, 2) }),
    'untrue',
    /has 1000 yen in the ledger, not/,
  ],
  [
    'half a ledger entry',
    withStored({ ledger: stored.ledger.slice(0, 3) }),
    'untrue',
    /out of balance by -400 yen: refund o2 r1 of checkout tea$/,
  ],
  ['a missing receipt mail', withoutMail('tea.receipt'), 'untrue', /^checkout tea has 0 of "mail receipt, .*", not 1$/],
  [
    'an event that is there twice',
    withEvent('tea', 3, 'checkout.paid'),
    'untrue',
    /^checkout tea has 2 of the event "checkout\.paid", not 1$/,
  ],
  [
    'an expiry without an event',
    withoutEvent('pot.2'),
    'untrue',
    /^checkout pot has 0 of the event "checkout\.expired", not 1$/,
  ],
  [
    'a failed checkout without an event',
    withStored({ checkouts: [tea, cup, { ...pot, status: 'failed' }] }),
    'untrue',
    /^checkout pot has 0 of the event "checkout\.failed", not 1$/,
  ],
  [
    'an event about an expiry that never happened',
    withEvent('tea', 3, 'checkout.expired'),
    'untrue',
    /^checkout tea has 1 of the event "checkout\.expired", not 0$/,
  ],
  [
    'an event about another refund',
    withStored({ events: stored.events.map((each) => (each.refundId === 'r1' ? { ...each, refundId: 'r9' } : each)) }),
    'untrue',
    /^checkout tea has 1 of the event "refund\.succeeded r9", not 0$/,
  ],
  [
    'a doubt without an event',
    withStored({ events: stored.events.filter(({ type }) => type !== 'alert.payment_in_doubt') }),
    'untrue',
    /^checkout pot has 0 of the event "alert\.payment_in_doubt", not 1$/,
  ],
  [
    'events whose numbers have a gap',
    withStored({ events: stored.events.map((each) => (each.id === 'pot.2' ? { ...each, sequence: 3 } : each)) }),
    'untrue',
    /^checkout pot has events numbered 1, 3$/,
  ],
  [
    'two events of one number',
    withStored({ events: stored.events.map((each) => (each.id === 'pot.2' ? { ...each, sequence: 1 } : each)) }),
    'untrue',
    /^checkout pot has events numbered 1, 1$/,
  ],
  [
    'an event of a checkout that does not exist',
    withEvent('lid', 1, 'checkout.paid'),
    'untrue',
    /^event lid\.1 is of checkout lid, and there is none$/,
  ],
  [
    'a doubt without a mail about its end',
    withoutMail('pot.nothing_charged.o7'),
    'untrue',
    /^checkout pot has 0 of "mail nothing_charged, pot\.nothing_charged\.o7", not 1$/,
  ],
  [
    'a paid order with a mail that nothing was charged',
    withMail('tea', 'nothing_charged', 'o2'),
    'untrue',
    /^checkout tea has 1 of "mail nothing_charged, .*", not 0$/,
  ],
  [
    'a mail of an unknown kind',
    withMail('cup', 'greetings'),
    'untrue',
    /^checkout cup has 1 of "mail greetings, .*", not 0$/,
  ],
  [
    'a mail about another order than the one in doubt',
    withStored({
      mails: [...withoutMail('pot.nothing_charged.o7').stored.mails, mailRow('pot', 'nothing_charged', 'o8')],
    }),
    'untrue',
    /^checkout pot has 1 of "mail nothing_charged, pot\.nothing_charged\.o8", not 0$/,
  ],
  [
    'a mail of a checkout that does not exist',
    withMail('lid', 'receipt'),
    'untrue',
    /^mail lid\.receipt is of checkout lid, and there is none$/,
  ],
  [
    'more given back than was paid',
    {
      ...withStored({
        refunds: [...stored.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 601, state: 'refunded' }],
      }),
      acquirerOrders: [{ ...charge, refunds: [...charge.refunds, { refundId: 'r2', amountYen: 601 }] }],
    },
    'untrue',
    /^checkout tea was given back 1001 of 1000 yen$/,
  ],
  [
    'a refund of another amount at the acquirer',
    withOrders({ ...charge, refunds: [{ refundId: 'r1', amountYen: 401 }] }),
    'untrue',
    /gave back "r1: 400 yen", and by the acquirer "r1: 401 yen"/,
  ],
  [
    'the same yen given back under another id',
    withOrders({ ...charge, refunds: [{ refundId: 'r9', amountYen: 400 }] }),
    'untrue',
    /gave back "r1: 400 yen", and by the acquirer "r9: 400 yen"/,
  ],
  [
    'a refund of a checkout that was never charged',
    withStored({
      refunds: [...stored.refunds, { checkoutId: 'cup', refundId: 'r1', amountYen: 5, state: 'refunded' }],
    }),
    'untrue',
    /^checkout cup gave back "r1: 5 yen", and by the acquirer ""$/,
  ],
  [
    'a checkout that is not refunded though all was given back',
    withOrders({ ...charge, refunds: [{ refundId: 'r1', amountYen: 1000 }] }),
    'untrue',
    /^checkout tea is paid with 1000 of 1000 yen given back$/,
  ],
  [
    'a paid checkout that names another order',
    withStored({ checkouts: [{ ...tea, orderCode: 'o1' }, cup, pot] }),
    'untrue',
    /^checkout tea names another charge than the acquirer$/,
  ],
  [
    'money in the ledger for a checkout that nobody paid',
    withStored({
      ledger: [
        ...stored.ledger,
        { checkoutId: 'cup', entry: 'charge o5', account: 'acquirer', amountYen: 300 },
        { checkoutId: 'cup', entry: 'charge o5', account: 'merchant', amountYen: -300 },
      ],
    }),
    'untrue',
    /^checkout cup has 300 yen in the ledger, not 0$/,
  ],
  [
    'a ledger entry of a checkout that does not exist',
    withStored({
      ledger: [...stored.ledger, { checkoutId: 'lid', entry: 'charge o9', account: 'acquirer', amountYen: 1 }],
    }),
    'untrue',
    /^ledger entry charge o9 is of checkout lid, and there is none$/,
  ],
  [
    'a charge of an attempt whose checkout is gone',
    withStored({ checkouts: [cup, pot] }),
    'untrue',
    /^order o2 was charged and nobody here knows it$/,
  ],
  [
    'a refund in doubt',
    withStored({ refunds: [...stored.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 1, state: 'unknown' }] }),
    'unsettled',
    /^refund r2 of checkout tea is still unknown$/,
  ],
]

describe('the audit after the kills', () => {
  test('finds nothing where all records agree', () => {
    assert.deepEqual(audit(consistent), [])
  })

  for (const [name, records, kind, expected] of tampered) {
    test(`finds ${name}`, () => {
      const ofKind = audit(records).filter((finding) => finding.kind === kind)
      assert.ok(
        ofKind.some((finding) => expected.test(finding.description)),
        JSON.stringify(audit(records)),
      )
    })
  }
})
