/** Notes on the calls that export checkouts, read reconciliations and say what needs a person. */
import { CHECKOUT_COLUMNS, EXPORT_DAYS_MAX } from '#contract/merchant/checkout-lists.ts'
import { BREAKS_KEPT_MAX, RECONCILIATIONS_KEPT_DAYS } from '#contract/merchant/reconciliations.ts'
import type { Json } from './json.ts'
import type { CallNote } from './note.ts'

const CHECKOUT_ID = 'k3v5q2m7x4n6p2r5t3w7y4z6a2c5e3g7'

const CSV = [
  CHECKOUT_COLUMNS.map(([name]) => name).join(','),
  `2026-11-23,12:04,paid,1980,0,order-42,Order 42,2026-11-23,12:06,taro@example.com,visa,4242,txn_8fj2k4,${CHECKOUT_ID},https://tea.example.com/${CHECKOUT_ID}`,
].join('\n')

const RECONCILIATION = {
  id: 'rc_m3q5v7x2k4n6p2r5t3w7y4z6a2c5e3g7',
  at: '2026-11-24T18:00:00.000Z',
  from: '2026-10-25T18:00:00.000Z',
  to: '2026-11-24T18:00:00.000Z',
  isComplete: true,
  charges: 41,
  chargedAmount: 81_180,
  refunds: 1,
  refundedAmount: 500,
  chargebacks: 0,
  chargebackAmount: 0,
  chargebackReversals: 0,
  reversedAmount: 0,
  breaks: 1,
  inDoubt: 0,
  unanswered: 0,
} as const satisfies Json

const ORDER = 'h4x6z2b5d7f3j5l2n4q6s3u5w7y2a4c6'

export const reportNotes = {
  exportCheckouts: {
    group: 'Reports',
    description: [
      'A file for a spreadsheet: a line for each checkout that the filters of List checkouts find, the newest first.',
      `It covers at most ${EXPORT_DAYS_MAX} days of creation: without \`createdFrom\` those up to \`createdTo\`, and without both those up to now.`,
      'Its columns:',
      ...CHECKOUT_COLUMNS.map(([name, holds]) => `- \`${name}\`: ${holds}`),
      'With `locale=ja_JP` the headings and the states are Japanese, in the same order.',
    ].join('\n'),
    answers: 'A CSV file.',
    answerHeaders: { 'Content-Disposition': 'The name of the file, with the first and last day of creation.' },
    example: {
      query: { status: 'paid', createdFrom: '2026-11-23', createdTo: '2026-11-25' },
      saveAs: 'checkouts.csv',
      answer: CSV,
    },
  },
  listReconciliations: {
    group: 'Reports',
    description: [
      'The operator compares the ledger with the acquirer’s own statement each night. This lists what came of it for your shop, in the mode of your key.',
      `They are kept for ${RECONCILIATIONS_KEPT_DAYS} days.`,
    ].join('\n'),
    answers: 'A page of reconciliations.',
    example: { query: { limit: '10' }, answer: { items: [RECONCILIATION], after: null } },
  },
  readReconciliation: {
    group: 'Reports',
    description: `Reads one reconciliation with its breaks, the first ${BREAKS_KEPT_MAX} of them. The operator mends a break: nothing here changes by itself.`,
    answers: 'The reconciliation with its breaks.',
    example: {
      path: { reconciliationId: '$RECONCILIATION_ID' },
      answer: {
        ...RECONCILIATION,
        found: [
          {
            kind: 'missing_in_ledger',
            movement: 'charge',
            order: ORDER,
            checkoutId: CHECKOUT_ID,
            acquirerAmount: 1980,
            words: `order ${ORDER}, checkout ${CHECKOUT_ID}: the acquirer charged ¥1,980; it is not in our ledger, and the attempt is declined`,
          },
        ],
      },
    },
  },
  readAttention: {
    group: 'Shop',
    description: [
      'Tells what needs a person at your shop now, in the mode of your key: payments and refunds in doubt, disputes to answer, an acquirer account that fails its check, tried-out cards, breaks of the last reconciliation, webhooks and mails that did not arrive. Each kind has its own fields, and leaves the answer when it is resolved.',
      'Events tell of most of it at once: `alert.payment_in_doubt`, `alert.card_testing`, `dispute.opened`.',
    ].join('\n'),
    answers: 'The kinds, the most urgent first.',
    example: {
      answer: {
        items: [
          {
            kind: 'payments_in_doubt',
            count: 1,
            items: [
              {
                checkoutId: CHECKOUT_ID,
                amount: 1980,
                since: '2026-11-23T03:06:10.000Z',
                nextInquiryAt: '2026-11-23T04:16:10.000Z',
                inquiries: 6,
                isLong: true,
              },
            ],
          },
          { kind: 'card_testing', until: '2026-11-23T03:16:10.000Z' },
        ],
      },
    },
  },
} as const satisfies Readonly<Record<string, CallNote>>
