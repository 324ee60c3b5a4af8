/** Reconciliations: comparisons of the ledger with the acquirer's statement, with their breaks, and the calls that read them. */
import { Type, type Static } from 'typebox'
import { MERCHANT_ROUTES } from '../access.ts'
import { bodilessCall, NoPath, queryCall } from '../calls.ts'
import { InstantText } from '../checkout.ts'
import { PageQuery, pageOf } from './lists.ts'

const closed = { additionalProperties: false }

/** The most breaks of one reconciliation that are kept in words; all are counted. */
export const BREAKS_KEPT_MAX = 100
export const RECONCILIATIONS_KEPT_DAYS = 400

const agreed = (what: string) => Type.Integer({ minimum: 0, description: `${what} on which both sides agree.` })
const agreedYen = (what: string) => Type.Integer({ minimum: 0, description: `Their sum: ${what}, in yen.` })

const facts = {
  id: Type.String({ description: 'The id of the reconciliation.' }),
  at: { ...InstantText, description: 'When it was made.' },
  from: { ...InstantText, description: 'The beginning of the time that was compared.' },
  to: { ...InstantText, description: 'Its end: what moved before then was compared.' },
  isComplete: Type.Boolean({
    description: 'false: the acquirer did not answer about everything, so breaks may be missing.',
  }),
  problem: Type.Optional(
    Type.String({ description: 'Why the acquirer’s statement could not be read. Left out: it was read.' }),
  ),
  charges: agreed('Charges'),
  chargedAmount: agreedYen('what was charged'),
  refunds: agreed('Refunds'),
  refundedAmount: agreedYen('what was given back'),
  chargebacks: agreed('Chargebacks'),
  chargebackAmount: agreedYen('what chargebacks have taken'),
  chargebackReversals: agreed('Reversals of chargebacks'),
  reversedAmount: agreedYen('what reversals have returned'),
  breaks: Type.Integer({ minimum: 0, description: 'How many breaks it found.' }),
  inDoubt: Type.Integer({ minimum: 0, description: 'How many movements were under way or in doubt: no breaks.' }),
  unanswered: Type.Integer({
    minimum: 0,
    description: 'About how many movements the acquirer did not answer.',
  }),
}

const BREAK_KINDS = [
  'unknown_order',
  'missing_in_ledger',
  'missing_on_both_sides',
  'listed_twice',
  'missing_at_acquirer',
  'amounts_differ',
  'unbalanced',
  'unknown_entry',
] as const
export type BreakKind = (typeof BREAK_KINDS)[number]

const MOVEMENT_KINDS = ['charge', 'refund', 'chargeback', 'chargeback_reversal'] as const

export const ReconciliationBreak = Type.Object(
  {
    kind: Type.Enum([...BREAK_KINDS], {
      description:
        'unknown_order: the acquirer moved money that nobody here asked for. missing_in_ledger: the acquirer moved it, our ledger does not have it. missing_on_both_sides: by our own record alone it was done. listed_twice: the acquirer lists it more than once. missing_at_acquirer: our ledger alone has it. amounts_differ. unbalanced: the lines of an entry do not add up to zero. unknown_entry: an entry that is no movement.',
    }),
    movement: Type.Optional(Type.Enum([...MOVEMENT_KINDS], { description: 'What moved, where that is known.' })),
    movementId: Type.Optional(
      Type.String({ description: 'Of a refund your name for it; of a chargeback the acquirer’s id.' }),
    ),
    order: Type.Optional(Type.String({ description: 'Its order at the acquirer.' })),
    checkoutId: Type.Optional(Type.String({ description: 'Its checkout, where it is one of yours.' })),
    ourAmount: Type.Optional(Type.Integer({ description: 'In our ledger, in yen.' })),
    acquirerAmount: Type.Optional(Type.Integer({ description: 'At the acquirer, in yen.' })),
    words: Type.String({ description: 'All of it in one English sentence.' }),
  },
  { ...closed, title: 'ReconciliationBreak' },
)
export type ReconciliationBreak = Static<typeof ReconciliationBreak>

export const ReconciliationAnswer = Type.Object(facts, { ...closed, title: 'Reconciliation' })
export type ReconciliationAnswer = Static<typeof ReconciliationAnswer>

export const ReconciliationWithBreaks = Type.Object(
  {
    ...facts,
    found: Type.Array(ReconciliationBreak, {
      description: `The breaks in the order in which they were found, the first ${BREAKS_KEPT_MAX} of them.`,
    }),
  },
  { ...closed, title: 'ReconciliationWithBreaks' },
)
export type ReconciliationWithBreaks = Static<typeof ReconciliationWithBreaks>

export const ReconciliationListAnswer = pageOf('ReconciliationList', ReconciliationAnswer)

const ReconciliationPath = Type.Object({
  reconciliationId: Type.String({ description: 'The id of the reconciliation.' }),
})

export const listReconciliations = queryCall({
  ...MERCHANT_ROUTES.listReconciliations,
  summary: 'List reconciliations with the acquirer, the newest first',
  params: NoPath,
  query: PageQuery,
  answer: ReconciliationListAnswer,
  errors: [],
})

export const readReconciliation = bodilessCall({
  ...MERCHANT_ROUTES.readReconciliation,
  summary: 'Read a reconciliation with its breaks',
  params: ReconciliationPath,
  answer: ReconciliationWithBreaks,
  errors: ['reconciliation_not_found'],
})
