/** Reconciliation tally: what one reconciliation came to for one shop in one mode, as it is kept and read. */
import { BREAKS_KEPT_MAX, type BreakKind, type ReconciliationBreak } from '#contract/merchant/reconciliations.ts'
import { discrepancyLine } from './discrepancy-words.ts'
import type { LedgerMovement } from './ledger-movement.ts'
import type { Discrepancy, Unresolved } from './reconcile.ts'

/** How many movements of a kind agree on both sides, and their sum. */
interface Agreed {
  readonly count: number
  readonly yen: number
}

export interface ReconciliationTally {
  readonly agreed: Readonly<Record<LedgerMovement['kind'], Agreed>>
  /** All of them are counted; `found` holds the first. */
  readonly breaks: number
  readonly found: readonly ReconciliationBreak[]
  readonly inDoubt: number
  readonly unanswered: number
}

const NONE: Agreed = { count: 0, yen: 0 }

export const EMPTY_TALLY: ReconciliationTally = {
  agreed: { charge: NONE, refund: NONE, chargeback: NONE, chargeback_reversal: NONE },
  breaks: 0,
  found: [],
  inDoubt: 0,
  unanswered: 0,
}

export const withAgreed = (
  tally: ReconciliationTally,
  kind: LedgerMovement['kind'],
  movedYen: number,
): ReconciliationTally => {
  const { count, yen } = tally.agreed[kind]
  return { ...tally, agreed: { ...tally.agreed, [kind]: { count: count + 1, yen: yen + movedYen } } }
}

const KINDS: Readonly<Record<Discrepancy['kind'], BreakKind>> = {
  'unknown order': 'unknown_order',
  'missing in ledger': 'missing_in_ledger',
  'missing on both sides': 'missing_on_both_sides',
  'listed twice': 'listed_twice',
  'missing at acquirer': 'missing_at_acquirer',
  'amounts differ': 'amounts_differ',
  unbalanced: 'unbalanced',
  'unknown entry': 'unknown_entry',
}

const idOf = (movement: LedgerMovement): Pick<ReconciliationBreak, 'movementId'> => {
  if (movement.kind === 'charge') return {}
  return { movementId: movement.kind === 'refund' ? movement.refundId : movement.movementId }
}

const movementFacts = (found: Discrepancy): Partial<ReconciliationBreak> => {
  if (!('movement' in found)) return { checkoutId: found.checkoutId }
  const { movement, checkoutId } = found
  return {
    movement: movement.kind,
    ...idOf(movement),
    orderCode: movement.orderCode,
    ...(checkoutId === null ? {} : { checkoutId }),
  }
}

/** A discrepancy as its shop reads it. */
const breakOf = (found: Discrepancy): ReconciliationBreak => ({
  kind: KINDS[found.kind],
  ...movementFacts(found),
  ...('ourYen' in found ? { ourAmount: found.ourYen } : {}),
  ...('acquirerYen' in found ? { acquirerAmount: found.acquirerYen } : {}),
  words: discrepancyLine(found),
})

export const withBreak = (tally: ReconciliationTally, found: Discrepancy): ReconciliationTally => ({
  ...tally,
  breaks: tally.breaks + 1,
  found: tally.found.length < BREAKS_KEPT_MAX ? [...tally.found, breakOf(found)] : tally.found,
})

export const withUnresolved = (tally: ReconciliationTally, { kind }: Unresolved): ReconciliationTally =>
  kind === 'in doubt' ? { ...tally, inDoubt: tally.inDoubt + 1 } : { ...tally, unanswered: tally.unanswered + 1 }
