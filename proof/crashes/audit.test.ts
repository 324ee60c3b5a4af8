import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { IMMEDIATE_ANSWER_MS } from '#payment/charge.ts'
import type { AcquirerOrder } from '../promises/both-sides.ts'
import type { StoredFacts } from '../promises/facts.ts'
import { audit, type Acknowledgements, type Finding } from './audit.ts'

const attempt = (orderCode: string, checkoutId: string, state: string) => ({
  orderCode,
  checkoutId,
  state,
  wasInDoubt: false,
  flightMs: 0,
})

const letter = (checkoutId: string, kind: string, event: string, about?: string) => ({
  id: [checkoutId, event, ...(about === undefined ? [] : [about]), kind].join('.'),
  checkoutId,
  kind,
  event,
})

/** One payment with half of it given back, one cancelled checkout, one expired after a doubt: all as it should be. */
const sound: Acknowledgements = {
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
  facts: {
    checkouts: [
      { id: 'tea', status: 'paid', amountYen: 1000, orderCode: 'o2', transactionId: 't2' },
      { id: 'cup', status: 'cancelled', amountYen: 300, orderCode: null, transactionId: null },
      { id: 'pot', status: 'expired', amountYen: 700, orderCode: null, transactionId: null },
    ],
    attempts: [
      attempt('o1', 'tea', 'declined'),
      attempt('o2', 'tea', 'charged'),
      { ...attempt('o6', 'pot', 'void'), wasInDoubt: true },
      { ...attempt('o7', 'pot', 'declined'), flightMs: IMMEDIATE_ANSWER_MS + 1 },
      { ...attempt('o8', 'pot', 'declined'), flightMs: IMMEDIATE_ANSWER_MS },
    ],
    refunds: [{ checkoutId: 'tea', refundId: 'r1', amountYen: 400, state: 'refunded' }],
    ledger: [
      { checkoutId: 'tea', entry: 'charge o2', account: 'acquirer', amountYen: 1000 },
      { checkoutId: 'tea', entry: 'charge o2', account: 'merchant', amountYen: -1000 },
      { checkoutId: 'tea', entry: 'refund o2 r1', account: 'acquirer', amountYen: -400 },
      { checkoutId: 'tea', entry: 'refund o2 r1', account: 'merchant', amountYen: 400 },
    ],
    letters: [
      letter('tea', 'webhook', 'checkout.paid'),
      letter('tea', 'mail', 'receipt'),
      letter('tea', 'webhook', 'refund', 'r1'),
      letter('tea', 'mail', 'refund', 'r1'),
      letter('cup', 'webhook', 'checkout.cancelled'),
      letter('pot', 'mail', 'nothing_charged', 'o6'),
      letter('pot', 'mail', 'nothing_charged', 'o7'),
      letter('pot', 'webhook', 'checkout.expired'),
    ],
  },
}

const { acknowledged, books, facts } = sound
const withFacts = (changed: Partial<StoredFacts>): Acknowledgements => ({ ...sound, facts: { ...facts, ...changed } })
const withLetter = (...more: Parameters<typeof letter>): Acknowledgements =>
  withFacts({ letters: [...facts.letters, letter(...more)] })
const withoutLetter = (id: string): Acknowledgements =>
  withFacts({ letters: facts.letters.filter((each) => each.id !== id) })
const withBooks = (...changed: AcquirerOrder[]): Acknowledgements => ({
  ...sound,
  books: [...books.filter(({ orderCode }) => !changed.some((each) => each.orderCode === orderCode)), ...changed],
})
const [tea, cup, pot] = facts.checkouts
const [, charge] = books
if (tea === undefined || cup === undefined || pot === undefined || charge === undefined)
  throw new Error('the sound accounts are incomplete')

const tampered: readonly (readonly [name: string, Acknowledgements, Finding['kind'], RegExp])[] = [
  [
    'a second charge of the same checkout',
    withBooks({ ...charge, orderCode: 'o1', refunds: [] }),
    'double charge',
    /^checkout tea was charged 2 times$/,
  ],
  [
    'a payment that was acknowledged and is open again',
    withFacts({ checkouts: [{ ...tea, status: 'open' }, cup, pot] }),
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
    withFacts({ checkouts: [tea, pot] }),
    'lost',
    /"created","checkoutId":"cup"/,
  ],
  ['a start that is gone', withFacts({ attempts: facts.attempts.slice(1) }), 'lost', /"started".*"orderCode":"o1"/],
  ['an authentication that is gone', { ...sound, checkCodes: new Map() }, 'lost', /"checkCode":"c1"/],
  [
    'a cancellation that did not hold',
    withFacts({ checkouts: [tea, { ...cup, status: 'open' }, pot] }),
    'lost',
    /"said":"cancelled","checkoutId":"cup"/,
  ],
  ['a refund that is gone', withFacts({ refunds: [] }), 'lost', /"refundId":"r1".*"status":"pending"/],
  [
    'a refund that was said to be given back and was not',
    withFacts({ refunds: facts.refunds.map((refund) => ({ ...refund, state: 'refused' })) }),
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
    withFacts({ attempts: [...facts.attempts, attempt('o3', 'cup', 'unknown')] }),
    'unsettled',
    /^attempt o3 is still unknown$/,
  ],
  [
    'a charge that stays under way',
    withFacts({ attempts: [...facts.attempts, attempt('o3', 'cup', 'charging')] }),
    'unsettled',
    /^attempt o3 is still charging$/,
  ],
  [
    'a refund that nobody finishes',
    withFacts({
      refunds: [...facts.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 1, state: 'requested' }],
    }),
    'unsettled',
    /^refund r2 of checkout tea is still requested$/,
  ],
  [
    'an order that the acquirer has not decided',
    withBooks({ orderCode: 'o4', status: 'pending', amountYen: 1, transactionId: null, refunds: [] }),
    'unsettled',
    /^the acquirer still weighs o4$/,
  ],
  [
    'a charge that nobody here knows',
    withBooks({ ...charge, orderCode: 'o9' }, charge),
    'untrue',
    /^order o9 was charged and nobody here knows it$/,
  ],
  [
    'a charge of a checkout that is cancelled',
    {
      ...withFacts({ attempts: [...facts.attempts, attempt('o5', 'cup', 'charged')] }),
      books: [...books, { ...charge, orderCode: 'o5', refunds: [] }],
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
  ['another amount', withBooks({ ...charge, amountYen: 999 }), 'untrue', /^checkout tea of 1000 yen was charged 999$/],
  ['another transaction', withBooks({ ...charge, transactionId: 't7' }), 'untrue', /names another charge than the acq/],
  [
    'a refund at the acquirer alone',
    withFacts({ refunds: [] }),
    'untrue',
    /gave back "", and by the acquirer "r1: 400/,
  ],
  [
    'a checkout that is refunded too early',
    withFacts({ checkouts: [{ ...tea, status: 'refunded' }, cup, pot] }),
    'untrue',
    /^checkout tea is refunded with 400 of 1000 yen given back$/,
  ],
  [
    'a missing ledger entry',
    withFacts({ ledger: facts.ledger.slice(0, 2) }),
    'untrue',
    /has 1000 yen in the ledger, not/,
  ],
  [
    'half a ledger entry',
    withFacts({ ledger: facts.ledger.slice(0, 3) }),
    'untrue',
    /out of balance by -400 yen: refund o2 r1 of checkout tea$/,
  ],
  [
    'a receipt that is never written',
    withoutLetter('tea.receipt.mail'),
    'untrue',
    /^checkout tea has 0 of "mail receipt, .*", not 1$/,
  ],
  [
    'a merchant who is told twice',
    withLetter('tea', 'webhook', 'checkout.paid'),
    'untrue',
    /^checkout tea has 2 of "webhook checkout\.paid, .*", not 1$/,
  ],
  [
    'an expiry that its merchant never hears of',
    withoutLetter('pot.checkout.expired.webhook'),
    'untrue',
    /^checkout pot has 0 of "webhook checkout\.expired, .*", not 1$/,
  ],
  [
    'a failure that its merchant never hears of',
    withFacts({ checkouts: [tea, cup, { ...pot, status: 'failed' }] }),
    'untrue',
    /^checkout pot has 0 of "webhook checkout\.failed, .*", not 1$/,
  ],
  [
    'an expiry that never was',
    withLetter('tea', 'webhook', 'checkout.expired'),
    'untrue',
    /^checkout tea has 1 of "webhook checkout\.expired, .*", not 0$/,
  ],
  [
    'a shopper who is never told how a doubt ended',
    withoutLetter('pot.nothing_charged.o7.mail'),
    'untrue',
    /^checkout pot has 0 of "mail nothing_charged, pot\.nothing_charged\.o7\.mail", not 1$/,
  ],
  [
    'a shopper who paid and is told that nothing was charged',
    withLetter('tea', 'mail', 'nothing_charged', 'o2'),
    'untrue',
    /^checkout tea has 1 of "mail nothing_charged, .*", not 0$/,
  ],
  [
    'a letter that nobody thought of',
    withLetter('cup', 'mail', 'greetings'),
    'untrue',
    /^checkout cup has 1 of "mail greetings, .*", not 0$/,
  ],
  [
    'a letter about another order than the one in doubt',
    withFacts({
      letters: [
        ...withoutLetter('pot.nothing_charged.o7.mail').facts.letters,
        letter('pot', 'mail', 'nothing_charged', 'o8'),
      ],
    }),
    'untrue',
    /^checkout pot has 1 of "mail nothing_charged, pot\.nothing_charged\.o8\.mail", not 0$/,
  ],
  [
    'a letter to the wrong sort of reader',
    withFacts({
      letters: facts.letters.map((each) => (each.event === 'receipt' ? { ...each, kind: 'webhook' } : each)),
    }),
    'untrue',
    /^checkout tea has 1 of "webhook receipt, tea\.receipt\.mail", not 0$/,
  ],
  [
    'a letter of a checkout that there is not',
    withLetter('lid', 'mail', 'receipt'),
    'untrue',
    /^letter lid\.receipt\.mail is of checkout lid, and there is none$/,
  ],
  [
    'more given back than was paid',
    {
      ...withFacts({
        refunds: [...facts.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 601, state: 'refunded' }],
      }),
      books: [{ ...charge, refunds: [...charge.refunds, { refundId: 'r2', amountYen: 601 }] }],
    },
    'untrue',
    /^checkout tea was given back 1001 of 1000 yen$/,
  ],
  [
    'a refund of another amount at the acquirer',
    withBooks({ ...charge, refunds: [{ refundId: 'r1', amountYen: 401 }] }),
    'untrue',
    /gave back "r1: 400 yen", and by the acquirer "r1: 401 yen"/,
  ],
  [
    'the same yen given back under another id',
    withBooks({ ...charge, refunds: [{ refundId: 'r9', amountYen: 400 }] }),
    'untrue',
    /gave back "r1: 400 yen", and by the acquirer "r9: 400 yen"/,
  ],
  [
    'a refund of a checkout that was never charged',
    withFacts({ refunds: [...facts.refunds, { checkoutId: 'cup', refundId: 'r1', amountYen: 5, state: 'refunded' }] }),
    'untrue',
    /^checkout cup gave back "r1: 5 yen", and by the acquirer ""$/,
  ],
  [
    'a checkout that is not refunded though all was given back',
    withBooks({ ...charge, refunds: [{ refundId: 'r1', amountYen: 1000 }] }),
    'untrue',
    /^checkout tea is paid with 1000 of 1000 yen given back$/,
  ],
  [
    'a paid checkout that names another order',
    withFacts({ checkouts: [{ ...tea, orderCode: 'o1' }, cup, pot] }),
    'untrue',
    /^checkout tea names another charge than the acquirer$/,
  ],
  [
    'money in the ledger for a checkout that nobody paid',
    withFacts({
      ledger: [
        ...facts.ledger,
        { checkoutId: 'cup', entry: 'charge o5', account: 'acquirer', amountYen: 300 },
        { checkoutId: 'cup', entry: 'charge o5', account: 'merchant', amountYen: -300 },
      ],
    }),
    'untrue',
    /^checkout cup has 300 yen in the ledger, not 0$/,
  ],
  [
    'a ledger entry of a checkout that there is not',
    withFacts({
      ledger: [...facts.ledger, { checkoutId: 'lid', entry: 'charge o9', account: 'acquirer', amountYen: 1 }],
    }),
    'untrue',
    /^ledger entry charge o9 is of checkout lid, and there is none$/,
  ],
  [
    'a charge of an attempt whose checkout is gone',
    withFacts({ checkouts: [cup, pot] }),
    'untrue',
    /^order o2 was charged and nobody here knows it$/,
  ],
  [
    'a refund in doubt',
    withFacts({ refunds: [...facts.refunds, { checkoutId: 'tea', refundId: 'r2', amountYen: 1, state: 'unknown' }] }),
    'unsettled',
    /^refund r2 of checkout tea is still unknown$/,
  ],
]

describe('the audit after the kills', () => {
  test('finds nothing where every word was kept', () => {
    assert.deepEqual(audit(sound), [])
  })

  for (const [name, accounts, kind, line] of tampered) {
    test(`names ${name}`, () => {
      const ofKind = audit(accounts).filter((finding) => finding.kind === kind)
      assert.ok(
        ofKind.some((finding) => line.test(finding.line)),
        JSON.stringify(audit(accounts)),
      )
    })
  }
})
