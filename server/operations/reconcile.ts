/** Reconcile: compares our ledger with the statements of our accounts at acquirers. */
import { MERCHANT_MODES } from '#contract/access.ts'
import type { Instant } from '#contract/jst.ts'
import { ledgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Period, StatementLine, Unknown } from '#payment/ports.ts'
import { createStatementMatching, movementOfLine, type StatementMatching } from '#payment/reconcile-matching.ts'
import { disputesMovingIn, withMargin } from '#payment/reconciliation-period.ts'
import { judgeMovement, unknownEntry, type Discrepancy, type LedgerEntry, type Unresolved } from '#payment/reconcile.ts'
import type { Sql } from '../store/engine/database.ts'
import { entriesInPeriod, unknownMerchantsOfLedger } from '../store/checkout/ledger.ts'
import { findMissingInLedger, findMoneyInFlight } from '../store/checkout/money-in-flight.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import {
  disputeMovementsOnce,
  readBothRecords,
  type ReconciliationGateway,
  type Unmatched,
} from './reconcile-inquiry.ts'

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
  onEntry: (entry: LedgerEntry) => void,
): Promise<Iterable<Unmatched>> => {
  const unmatched = new Map<string, Unmatched>()
  const add = (movement: LedgerMovement, line: StatementLine | null): void => {
    const name = ledgerEntryName(movement)
    if (!unmatched.has(name)) unmatched.set(name, { movement, line })
  }
  const withoutLine: LedgerMovement[] = []
  for (const scope of scopes)
    for await (const entry of entriesInPeriod(sql, scope, period)) {
      if (entry.movement === null || matching.matchEntry(entry)) onEntry(entry)
      else withoutLine.push(entry.movement)
    }
  for (const line of matching.unmatchedLines())
    if (line.movedAt >= period.from && line.movedAt < period.to) add(movementOfLine(line), line)
  for (const movement of withoutLine) add(movement, null)
  for (const scope of scopes) for (const movement of await findMissingInLedger(sql, scope, period)) add(movement, null)
  const isOurs = new Set(scopes.map(({ merchantId, mode }) => `${mode} ${merchantId}`))
  for (const { merchantId, mode, movement } of await findMoneyInFlight(sql))
    if (isOurs.has(`${mode} ${merchantId}`)) add(movement, null)
  return unmatched.values()
}

type OnDiscrepancy = (found: Discrepancy) => void

interface ComparedAccount {
  readonly unresolved: readonly Unresolved[]
  readonly comparedUntil: Instant
}

/** Compares one account. */
const reconcileAccount = async (
  sql: Sql,
  account: ReconciledAccount,
  period: Period,
  report: OnDiscrepancy,
  agreed: Record<LedgerMovement['kind'], number>,
): Promise<ComparedAccount | Unknown> => {
  const matching = createStatementMatching()
  const statement = await readStatement(account.gateway, period, matching.addStatementLine)
  if (statement.outcome === 'unknown') return statement
  const unresolved: Unresolved[] = []
  const compared = { from: period.from, to: statement.completeUntil }
  const unmatched = await unmatchedOf(sql, account, compared, matching, (entry) => {
    if (entry.movement === null) report(unknownEntry(entry))
    else agreed[entry.movement.kind] += 1
  })
  const disputeMovements = disputeMovementsOnce(account.gateway, disputesMovingIn(period))
  for (const each of unmatched) {
    const { movement } = each
    const { ours, acquirer } = await readBothRecords(sql, account.gateway, disputeMovements, each)
    const listedYen = matching.listedTwice(movement)
    if (listedYen !== null) report({ kind: 'listed twice', movement, checkoutId: ours.checkoutId, listedYen })
    const judgement = judgeMovement(movement, ours, acquirer)
    if (judgement.is === 'agreed' && listedYen === null) agreed[movement.kind] += 1
    if ('discrepancies' in judgement) for (const found of judgement.discrepancies) report(found)
    if (judgement.is === 'unresolved') unresolved.push(judgement.unresolved)
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
  onUnresolved: (unresolved: Unresolved) => void = () => undefined,
): Promise<Reconciliation> => {
  const agreed = { charge: 0, refund: 0, chargeback: 0, chargeback_reversal: 0 }
  let discrepancies = 0
  const report = (found: Discrepancy): void => {
    discrepancies += 1
    onDiscrepancy(found)
  }
  const unresolved: Unresolved[] = []
  const silent: NonNullable<ReconciliationCounts['silent']>[number][] = []
  let comparedUntil = period.to
  for (const account of accounts) {
    const compared = await reconcileAccount(sql, account, period, report, agreed)
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
      for await (const entry of entriesInPeriod(sql, { merchantId, mode }, period)) report(unknownEntry(entry))
  for (const each of unresolved) onUnresolved(each)
  const inDoubt = unresolved.filter(({ kind }) => kind === 'in doubt').length
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
