/** Notes on the calls that refund, list refunds, add up and export. */
import { CHARGEBACK_COLUMNS, MOVEMENT_COLUMNS, TAX_COLUMNS } from '#contract/merchant/reports.ts'
import type { Json } from './json.ts'
import type { CallNote } from './note.ts'

const ABOUT = { path: { checkoutId: '$CHECKOUT_ID' }, checkout: 'paid' } as const

const REFUND_ID = 'order-42-cup'

const REFUND = {
  refundId: REFUND_ID,
  checkoutId: 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7',
  amount: 500,
  taxes: [{ rate: 10, amount: 500 }],
  status: 'refunded',
  requestedAt: '2026-11-25T01:02:03.000Z',
  refundedAt: '2026-11-25T01:02:04.000Z',
} as const satisfies Json

const NONE = {
  charges: 0,
  chargedAmount: 0,
  refunds: 0,
  refundedAmount: 0,
  chargebacks: 0,
  chargebackAmount: 0,
  chargebackReversals: 0,
  reversedAmount: 0,
  netAmount: 0,
} as const
const SUMS = { ...NONE, charges: 1, chargedAmount: 1980, netAmount: 1980 } as const
const RANGE = { from: '2026-11-23', to: '2026-11-25' } as const

const CSV = [
  [...MOVEMENT_COLUMNS, ...CHARGEBACK_COLUMNS].map(([name]) => name).join(','),
  '2026-11-23,12:06,charge,1980,,k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7,order-42,Order 42,,txn_8fj2k4,visa,4242,,,',
  `2026-11-25,10:02,refund,,500,k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7,order-42,Order 42,${REFUND_ID},txn_8fj2k4,visa,4242,,,`,
].join('\n')

/** The time of booking is the acquirer’s. */
const LATE =
  'A charge or refund whose answer was lost belongs to the day on which the acquirer has made it, also when we learn of it later: a day that has passed can still grow while a payment is pending.'

export const moneyNotes = {
  refundCheckout: {
    group: 'Refunds',
    description: [
      'Gives money back to the card that paid. `refundId` is your own: the same id gives back once, however often it is sent, so send it again when no answer came.',
      'What a dispute (chargeback) has taken cannot be refunded as well.',
      'A checkout may be refunded in several parts. Where it was created with `taxes`, say which rates are given back.',
    ].join('\n'),
    answers: 'The refund. Look at its status: it may be pending or refused.',
    example: {
      ...ABOUT,
      body: { refundId: REFUND_ID, amount: 500, taxes: [{ rate: 10, amount: 500 }] },
      answer: REFUND,
    },
  },
  listCheckoutRefunds: {
    group: 'Refunds',
    description: 'Lists the refunds of one checkout.',
    answers: 'A page of refunds.',
    example: { ...ABOUT, answer: { items: [REFUND], after: null } },
  },
  readRefund: {
    group: 'Refunds',
    description: 'Reads one refund, for example to learn what became of a pending one.',
    answers: 'The refund.',
    example: { path: { ...ABOUT.path, refundId: REFUND_ID }, checkout: 'paid', answer: REFUND },
  },
  listRefunds: {
    group: 'Refunds',
    description: 'Lists the refunds of all checkouts of your key’s mode.',
    answers: 'A page of refunds.',
    example: { query: { limit: '10' }, answer: { items: [REFUND], after: null } },
  },
  readSummary: {
    group: 'Reports',
    description: `Adds up what the ledger has booked, for each day in Japan and for all of them. ${LATE}`,
    answers: 'The sums.',
    example: {
      query: RANGE,
      answer: {
        ...RANGE,
        days: [
          { date: '2026-11-23', ...SUMS },
          { date: '2026-11-24', ...NONE },
          { date: '2026-11-25', ...NONE, refunds: 1, refundedAmount: 500, netAmount: -500 },
        ],
        total: { ...SUMS, refunds: 1, refundedAmount: 500, netAmount: 1480 },
      },
    },
  },
  exportMovements: {
    group: 'Reports',
    description: [
      'A file for a spreadsheet: a line for each charge, refund, chargeback and reversal of a chargeback, the oldest first.',
      LATE,
      'Its columns:',
      ...MOVEMENT_COLUMNS.map(([name, holds]) => `- \`${name}\`: ${holds}`),
      'With `taxes=true` there follow, for a charge and for a refund alike, and empty where the checkout has no taxes:',
      ...TAX_COLUMNS.map(([name, holds]) => `- \`${name}\`: ${holds}`),
      'The last columns are of chargebacks, which have no taxes:',
      ...CHARGEBACK_COLUMNS.map(([name, holds]) => `- \`${name}\`: ${holds}`),
      'With `locale=ja_JP` the headings and the kinds are Japanese, in the same order.',
    ].join('\n'),
    answers: 'A CSV file.',
    answerHeaders: { 'Content-Disposition': 'The name of the file, with its first and last day.' },
    example: { query: RANGE, saveAs: 'movements.csv', answer: CSV },
  },
} as const satisfies Readonly<Record<string, CallNote>>
