/** Reconcile: compares our ledger with the acquirer's statement. */
import { isDeepStrictEqual } from 'node:util'
import type { Attempt } from '#payment/attempt.ts'
import { ledgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Gateway, Unknown } from '#payment/ports.ts'
import { createStatementMatching } from '#payment/reconcile-matching.ts'
import {
  judgeMovement,
  unknownEntry,
  type AcquirerRecord,
  type Discrepancy,
  type OurRecord,
  type RequestedMovement,
  type Unresolved,
} from '#payment/reconcile.ts'
import type { Refund } from '#payment/refund.ts'
import { findAttemptOfAnyMerchant } from '../store/checkout/attempts.ts'
import type { Sql } from '../store/engine/database.ts'
import { allEntries, entriesOf } from '../store/checkout/ledger.ts'
import { findMissingInLedger, findMoneyInFlight } from '../store/checkout/money-in-flight.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'

export type ReconciliationGateway = Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund'>

export interface ReconciliationCounts {
  readonly charges: number
  readonly refunds: number
  readonly discrepancies: number
  readonly inDoubt: number
  /** The acquirer gave no answer, and no doubt of ours explains that. With any of these the comparison is incomplete. */
  readonly unanswered: number
}

/** `charges` and `refunds` count those on which both sides agree. */
export type Reconciliation = ({ readonly outcome: 'compared' } & ReconciliationCounts) | Unknown

const requestedOf = ({ amountYen, state }: Attempt | Refund): RequestedMovement => {
  if (state.name === 'unknown') return { amountYen, state: state.name, since: state.since }
  return state.name === 'charging' || state.name === 'requested'
    ? { amountYen, state: state.name, since: state.leaseUntil }
    : { amountYen, state: state.name }
}

const readOurRecord = async (sql: Sql, movement: LedgerMovement): Promise<OurRecord> => {
  const entries = await entriesOf(sql, movement)
  const attempt = await findAttemptOfAnyMerchant(sql, movement.orderCode)
  if (attempt === null) return { entries, checkoutId: null, requested: null }
  const { checkoutId } = attempt
  if (movement.kind === 'charge') return { entries, checkoutId, requested: requestedOf(attempt) }
  const refund = (await refundsOfCheckout(sql, attempt)).find(
    ({ orderCode, refundId }) => orderCode === movement.orderCode && refundId === movement.refundId,
  )
  return { entries, checkoutId, requested: refund ? requestedOf(refund) : null }
}

const readAcquirerRecord = async (
  gateway: ReconciliationGateway,
  movement: LedgerMovement,
): Promise<AcquirerRecord> => {
  if (movement.kind === 'charge') {
    const inquiry = await gateway.inquire(movement.orderCode)
    if (inquiry.outcome === 'unknown') return inquiry
    return inquiry.outcome === 'charged' ? inquiry.amountYen : null
  }
  const inquiry = await gateway.inquireRefund(movement)
  if (inquiry.outcome === 'unknown') return inquiry
  return inquiry.outcome === 'refunded' ? inquiry.amountYen : null
}

/**
 * Reads a movement on both sides at one moment: reads ours, inquires, and reads ours again until nothing changed meanwhile. We
 * store a request before the acquirer is asked and book it after the answer, so what still differs is a real discrepancy.
 */
const readBothRecords = async (
  sql: Sql,
  gateway: ReconciliationGateway,
  movement: LedgerMovement,
): Promise<{ readonly ours: OurRecord; readonly acquirer: AcquirerRecord }> => {
  let ours = await readOurRecord(sql, movement)
  for (;;) {
    const acquirer = await readAcquirerRecord(gateway, movement)
    const again = await readOurRecord(sql, movement)
    if (isDeepStrictEqual(ours, again)) return { ours, acquirer }
    ours = again
  }
}

/**
 * Compares our ledger, of all merchants, with the acquirer's statement, and inquires one by one about what does not match.
 * Discrepancies are reported as they are found, unresolved movements at the end. The order codes and amounts of the statement
 * are in memory: about 270 MB for a million charges.
 */
export const reconcile = async (
  sql: Sql,
  gateway: ReconciliationGateway,
  onDiscrepancy: (found: Discrepancy) => void,
  onUnresolved: (unresolved: Unresolved) => void = () => undefined,
): Promise<Reconciliation> => {
  const matching = createStatementMatching()
  let after: string | null = null
  do {
    const page = await gateway.statement(after)
    if (page.outcome === 'unknown') return page
    for (const line of page.lines) matching.addStatementLine(line)
    after = page.after
  } while (after !== null)

  const agreed = { charge: 0, refund: 0 }
  let discrepancies = 0
  const report = (found: Discrepancy): void => {
    discrepancies += 1
    onDiscrepancy(found)
  }

  const unmatched = new Map<string, LedgerMovement>()
  const addUnmatched = (movement: LedgerMovement): void => void unmatched.set(ledgerEntryName(movement), movement)
  for await (const entry of allEntries(sql)) {
    if (entry.movement === null) report(unknownEntry(entry))
    else if (matching.matchEntry(entry)) agreed[entry.movement.kind] += 1
    else addUnmatched(entry.movement)
  }
  for (const movement of matching.unmatchedMovements()) addUnmatched(movement)
  for (const movement of await findMissingInLedger(sql)) addUnmatched(movement)
  for (const movement of await findMoneyInFlight(sql)) addUnmatched(movement)

  const unresolved: Unresolved[] = []
  for (const movement of unmatched.values()) {
    const { ours, acquirer } = await readBothRecords(sql, gateway, movement)
    const listedYen = matching.listedTwice(movement)
    if (listedYen !== null) report({ kind: 'listed twice', movement, checkoutId: ours.checkoutId, listedYen })
    const judgement = judgeMovement(movement, ours, acquirer)
    if (judgement.is === 'agreed' && listedYen === null) agreed[movement.kind] += 1
    if ('discrepancies' in judgement) for (const found of judgement.discrepancies) report(found)
    if (judgement.is === 'unresolved') unresolved.push(judgement.unresolved)
  }
  for (const each of unresolved) onUnresolved(each)
  const inDoubt = unresolved.filter(({ kind }) => kind === 'in doubt').length
  const unanswered = unresolved.length - inDoubt
  const { charge: charges, refund: refunds } = agreed
  return { outcome: 'compared', charges, refunds, discrepancies, inDoubt, unanswered }
}
