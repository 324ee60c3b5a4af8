/** Reconcile: compares our ledger with the statements of our accounts at acquirers. */
import { MERCHANT_MODES } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { ledgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Period, StatementLine, Unknown } from '#payment/ports.ts'
import { createStatementMatching, movementOfLine, type StatementMatching } from '#payment/reconcile-matching.ts'
import { scopeName } from '#payment/references.ts'
import { disputesMovingIn, withMargin } from '#payment/reconciliation-period.ts'
import {
  judgeMovement,
  movedYen,
  unknownEntry,
  type Discrepancy,
  type LedgerEntry,
  type Unresolved,
} from '#payment/reconcile.ts'
import type { Sql } from '../store/engine/database.ts'
import { entriesInPeriod, unknownMerchantsOfLedger } from '../store/checkout/ledger.ts'
import { findMissingInLedger, findMoneyInFlight } from '../store/checkout/money-in-flight.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import {
  disputeMovementsOnce,
  readBothRecords,
  type ReconciliationGateway,
  type Unmatched,
} from './reconcile-second-pass.ts'

/** An account at an acquirer, with the merchants and modes whose money it moves. */
export interface ReconciledAccount {
  readonly gateway: ReconciliationGateway
  readonly scopes: readonly KeyScope[]
}

export interface ReconciliationCounts {
  readonly charges: number
  readonly refunds: number
  readonly chargebacks: number
  readonly chargebackReversals: number
  readonly discrepancies: number
  readonly inDoubt: number
  /** The acquirer gave no answer, and no doubt of ours explains that. With any of these the comparison is incomplete. */
  readonly unanswered: number
  /** Only movements before this time were compared: later ones are not in every statement yet. Left out: the whole period was. */
  readonly comparedUntil?: Instant
  /** Accounts without a statement, with which the comparison is incomplete. Left out: none. */
  readonly silent?: readonly { readonly scopes: readonly KeyScope[]; readonly why: string }[]
}

/** `charges`, `refunds`, `chargebacks` and `chargebackReversals` count those on which both sides agree. */
export type Reconciliation = ({ readonly outcome: 'compared' } & ReconciliationCounts) | Unknown

/** Reads the whole statement of a period. Returns the time before which it is complete. */
const readStatement = async (
  gateway: ReconciliationGateway,
  period: Period,
  onLine: (line: StatementLine) => void,
): Promise<{ readonly outcome: 'read'; readonly completeUntil: Instant } | Unknown> => {
  const { to } = period
  let completeUntil = to
  let after: string | null = null
  do {
    const page = await gateway.statement(withMargin(period), after)
    if (page.outcome === 'unknown') return page
    for (const line of page.lines) onLine(line)
    completeUntil = Math.min(completeUntil, page.completeUntil ?? to)
    after = page.after
  } while (after !== null)
  return { outcome: 'read', completeUntil }
}

/** The movements to inquire about: those that do not match, and those that are under way or missing. */
const unmatchedOf = async (
  sql: Sql,
  { scopes }: ReconciledAccount,
  period: Period,
  matching: StatementMatching,
  onEntry: (entry: LedgerEntry, scope: KeyScope) => void,
): Promise<Iterable<Unmatched>> => {
  const unmatched = new Map<string, Unmatched>()
  const add = (movement: LedgerMovement, line: StatementLine | null): void => {
    const name = ledgerEntryName(movement)
    if (!unmatched.has(name)) unmatched.set(name, { movement, line })
  }
  const withoutLine: LedgerMovement[] = []
  for (const scope of scopes)
    for await (const entry of entriesInPeriod(sql, scope, period)) {
      if (entry.movement === null || matching.matchEntry(entry)) onEntry(entry, scope)
      else withoutLine.push(entry.movement)
    }
  for (const line of matching.unmatchedLines())
    if (line.movedAt >= period.from && line.movedAt < period.to) add(movementOfLine(line), line)
  for (const movement of withoutLine) add(movement, null)
  for (const scope of scopes) for (const movement of await findMissingInLedger(sql, scope, period)) add(movement, null)
  const ours = new Set(scopes.map(scopeName))
  for (const { movement, ...scope } of await findMoneyInFlight(sql)) if (ours.has(scopeName(scope))) add(movement, null)
  return unmatched.values()
}

/** `scope`: the shop that it belongs to; null: none of ours, or nobody can tell which of several. */
type OnDiscrepancy = (found: Discrepancy, scope: KeyScope | null) => void
type OnUnresolved = (unresolved: Unresolved, scope: KeyScope | null) => void
type OnAgreed = (scope: KeyScope | null, kind: LedgerMovement['kind'], yen: number) => void

interface ComparedAccount {
  readonly unresolved: readonly { readonly unresolved: Unresolved; readonly scope: KeyScope | null }[]
  readonly comparedUntil: Instant
}

/** Compares one account. */
const reconcileAccount = async (
  sql: Sql,
  account: ReconciledAccount,
  period: Period,
  report: OnDiscrepancy,
  agree: OnAgreed,
): Promise<ComparedAccount | Unknown> => {
  const matching = createStatementMatching()
  const statement = await readStatement(account.gateway, period, matching.addStatementLine)
  if (statement.outcome === 'unknown') return statement
  const unresolved: ComparedAccount['unresolved'][number][] = []
  // What nobody here asked for belongs to the shop of the account, where it has one alone.
  const onlyScope = account.scopes.length === 1 ? (account.scopes[0] ?? null) : null
  const compared = { from: period.from, to: statement.completeUntil }
  const unmatched = await unmatchedOf(sql, account, compared, matching, (entry, scope) => {
    if (entry.movement === null) report(unknownEntry(entry), scope)
    else agree(scope, entry.movement.kind, movedYen(entry))
  })
  const disputeMovements = disputeMovementsOnce(account.gateway, disputesMovingIn(period))
  for (const each of unmatched) {
    const { movement } = each
    const { ours, acquirer, scope: asked } = await readBothRecords(sql, account.gateway, disputeMovements, each)
    const scope = asked ?? onlyScope
    const listedYen = matching.listedTwice(movement)
    if (listedYen !== null) report({ kind: 'listed twice', movement, checkoutId: ours.checkoutId, listedYen }, scope)
    const judgement = judgeMovement(movement, ours, acquirer)
    if (judgement.is === 'agreed' && listedYen === null)
      agree(scope, movement.kind, typeof acquirer === 'number' ? acquirer : 0)
    if ('discrepancies' in judgement) for (const found of judgement.discrepancies) report(found, scope)
    if (judgement.is === 'unresolved') unresolved.push({ unresolved: judgement.unresolved, scope })
  }
  return { unresolved, comparedUntil: compared.to }
}

/**
 * Compares our ledger of a period with the statements of our accounts, and inquires one by one about what does not match.
 * Discrepancies are reported as they are found, unresolved movements at the end. The lines of a statement are in memory.
 */
export const reconcile = async (
  sql: Sql,
  accounts: readonly ReconciledAccount[],
  period: Period,
  onDiscrepancy: OnDiscrepancy,
  onUnresolved: OnUnresolved = () => undefined,
  onAgreed: OnAgreed = () => undefined,
): Promise<Reconciliation> => {
  const agreed = { charge: 0, refund: 0, chargeback: 0, chargeback_reversal: 0 }
  let discrepancies = 0
  const report: OnDiscrepancy = (found, scope) => {
    discrepancies += 1
    onDiscrepancy(found, scope)
  }
  const agree: OnAgreed = (scope, kind, yen) => {
    agreed[kind] += 1
    onAgreed(scope, kind, yen)
  }
  const unresolved: ComparedAccount['unresolved'][number][] = []
  const silent: NonNullable<ReconciliationCounts['silent']>[number][] = []
  let comparedUntil = period.to
  for (const account of accounts) {
    const compared = await reconcileAccount(sql, account, period, report, agree)
    // One that does not answer must not keep the others from being compared.
    if ('outcome' in compared) {
      silent.push({ scopes: account.scopes, why: compared.why })
      continue
    }
    unresolved.push(...compared.unresolved)
    comparedUntil = Math.min(comparedUntil, compared.comparedUntil)
  }
  const [first] = silent
  if (first !== undefined && silent.length === accounts.length) return { outcome: 'unknown', why: first.why }
  for (const merchantId of await unknownMerchantsOfLedger(sql))
    for (const mode of MERCHANT_MODES)
      for await (const entry of entriesInPeriod(sql, { merchantId, mode }, period)) report(unknownEntry(entry), null)
  for (const each of unresolved) onUnresolved(each.unresolved, each.scope)
  const inDoubt = unresolved.filter((each) => each.unresolved.kind === 'in doubt').length
  const unanswered = unresolved.length - inDoubt
  const { charge: charges, refund: refunds, chargeback: chargebacks, chargeback_reversal: chargebackReversals } = agreed
  const counts = { charges, refunds, chargebacks, chargebackReversals, discrepancies, inDoubt, unanswered }
  return {
    outcome: 'compared',
    ...counts,
    ...(comparedUntil < period.to ? { comparedUntil } : {}),
    ...(silent.length > 0 ? { silent } : {}),
  }
}
