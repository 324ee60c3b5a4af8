/** Notes on the calls that refund, list refunds, add up and export. */
import { FIGURE_COLUMNS, REPORTED_BRANDS } from '#contract/merchant/figures.ts'
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

const NOT_BEGUN = { begun: 0, paid: 0, declined: 0, authenticationFailed: 0, givenUp: 0, inDoubt: 0 } as const
const BEGUN = { ...NOT_BEGUN, begun: 2, paid: 1, declined: 1 } as const
const BRANDS = [{ cardBrand: 'visa', charges: 1, chargedAmount: 1980 }] as const
const QUIET = { ...NONE, checkouts: NOT_BEGUN, cardBrands: [] } as const

const FIGURES_CSV = [
  [
    ...FIGURE_COLUMNS.map(([name]) => name),
    ...REPORTED_BRANDS.flatMap((brand) => [`${brand}Charges`, `${brand}ChargedAmount`]),
  ].join(','),
  '2026-11-23,1,1980,0,0,0,0,0,0,2,1,1,0,0,0,1,1980,0,0,0,0,0,0,0,0,0,0,0,0',
  '2026-11-24,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0',
].join('\n')

/** The time of booking is the acquirer’s. */
const LATE =
  'A charge or refund whose answer was lost belongs to the day on which the acquirer has made it, also when we learn of it later: a day that has passed can still grow while a payment is pending.'

const COUNTED =
  'Days that are over are added up once; one to which something came late, and a day that is not over, is counted while you wait. A count of a busy day is kept for a minute: `countedAt` then says when it was made.'

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
    description: `Adds up what the ledger has booked, for each day in Japan and for all of them. ${LATE} ${COUNTED}`,
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
  readFigures: {
    group: 'Reports',
    description: [
      'The figures of each day in Japan, for a plot or a table. Money is counted by the day on which the ledger has booked it, as in the summary. `checkouts` counts by the day on which the first attempt to pay began, and says how these checkouts have ended until now: one that is paid on the next day changes the figures of the day on which it was begun.',
      COUNTED,
    ].join('\n'),
    answers: 'The figures.',
    example: {
      query: RANGE,
      answer: {
        ...RANGE,
        days: [
          { date: '2026-11-23', ...SUMS, checkouts: BEGUN, cardBrands: BRANDS },
          { date: '2026-11-24', ...QUIET },
          { date: '2026-11-25', ...QUIET },
        ],
        total: { ...SUMS, checkouts: BEGUN, cardBrands: BRANDS },
      },
    },
  },
  exportFigures: {
    group: 'Reports',
    description: [
      'The figures of each day as a file for a spreadsheet, a line for each day, the oldest first; of today they are at most a minute old. Its columns:',
      ...FIGURE_COLUMNS.map(([name, holds]) => `- \`${name}\`: ${holds}`),
      `Then two for each card brand (${REPORTED_BRANDS.join(', ')}), such as \`visaCharges\` and \`visaChargedAmount\`. With \`locale=ja_JP\` the headings are Japanese, in the same order.`,
    ].join('\n'),
    answers: 'A CSV file.',
    answerHeaders: { 'Content-Disposition': 'The name of the file, with its first and last day.' },
    example: { query: { from: RANGE.from, to: '2026-11-24' }, saveAs: 'figures.csv', answer: FIGURES_CSV },
  },
} as const satisfies Readonly<Record<string, CallNote>>
