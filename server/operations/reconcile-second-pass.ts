/** Reconciliation, second pass: one movement on both sides, by our rows and by what the acquirer says about it alone. */
import { isDeepStrictEqual } from 'node:util'
import { sentOrderOf, type Attempt } from '#payment/attempt.ts'
import { ledgerEntryName, type LedgerMovement } from '#payment/ledger-movement.ts'
import type { Gateway, Period, SentOrder, StatementLine, Unknown } from '#payment/ports.ts'
import type { AcquirerRecord, OurRecord, RequestedMovement } from '#payment/reconcile.ts'
import { refundOrderOf, type Refund } from '#payment/refund.ts'
import { findAttemptOfAnyMerchant } from '../store/checkout/attempts.ts'
import { entriesOf } from '../store/checkout/ledger.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import type { Sql } from '../store/engine/database.ts'
import type { KeyScope } from '../store/merchant/keys.ts'

export type ReconciliationGateway = Pick<Gateway, 'statement' | 'inquire' | 'inquireRefund' | 'disputes'>

const requestedOf = ({ amountYen, state }: Attempt | Refund): RequestedMovement => {
  if (state.name === 'unknown') return { amountYen, state: state.name, since: state.since }
  return state.name === 'charging' || state.name === 'requested'
    ? { amountYen, state: state.name, since: state.leaseUntil }
    : { amountYen, state: state.name }
}

interface OurRows {
  readonly record: OurRecord
  readonly attempt: Attempt | null
  readonly refund: Refund | null
}

const readOurRows = async (sql: Sql, movement: LedgerMovement): Promise<OurRows> => {
  const entries = await entriesOf(sql, movement)
  const attempt = await findAttemptOfAnyMerchant(sql, movement.orderCode)
  if (attempt === null) return { record: { entries, checkoutId: null, requested: null }, attempt: null, refund: null }
  const { checkoutId } = attempt
  if (movement.kind === 'charge')
    return { record: { entries, checkoutId, requested: requestedOf(attempt) }, attempt, refund: null }
  if (movement.kind !== 'refund') return { record: { entries, checkoutId, requested: null }, attempt, refund: null }
  const refunds = await refundsOfCheckout(sql, attempt)
  const refund =
    refunds.find(({ orderCode, refundId }) => orderCode === movement.orderCode && refundId === movement.refundId) ??
    null
  return { record: { entries, checkoutId, requested: refund === null ? null : requestedOf(refund) }, attempt, refund }
}

/** The shop that asked for the charge; null: none of ours did. */
const scopeOf = ({ attempt }: OurRows): KeyScope | null =>
  attempt === null ? null : { merchantId: attempt.merchantId, mode: attempt.mode }

/** A movement to inquire about, and its line in the statement; null: the statement has none. */
export interface Unmatched {
  readonly movement: LedgerMovement
  readonly line: StatementLine | null
}

/** The order as the acquirer is asked about it: where a restore has lost its reference, with the one of the list. */
const orderToAsk = ({ movement: { orderCode }, line }: Unmatched, { attempt }: OurRows): SentOrder | null => {
  const listed = line?.kind === 'charge' ? line : null
  if (attempt !== null) return { ...sentOrderOf(attempt), reference: attempt.reference ?? listed?.reference ?? null }
  if (listed === null) return null
  return { orderCode, amountYen: listed.amountYen, reference: listed.reference, startedAt: listed.movedAt }
}

/** The movements of the disputes of an account, by the name of their ledger entry, in yen. */
export type DisputeMovements = () => Promise<ReadonlyMap<string, number> | Unknown>

const readDisputeMovements = async (
  gateway: ReconciliationGateway,
  openedIn: Period,
): Promise<ReadonlyMap<string, number> | Unknown> => {
  const moved = new Map<string, number>()
  let after: string | null = null
  do {
    const page = await gateway.disputes(openedIn, after)
    if (page.outcome === 'unknown') return page
    for (const { orderCode, movements } of page.disputes)
      for (const { kind, movementId, amountYen } of movements)
        moved.set(ledgerEntryName({ kind, orderCode, movementId }), amountYen)
    after = page.after
  } while (after !== null)
  return moved
}

/** Read once, and only if a chargeback of ours is in no statement: it may have another date there, even outside the period. */
export const disputeMovementsOnce = (gateway: ReconciliationGateway, openedIn: Period): DisputeMovements => {
  let read: ReturnType<DisputeMovements> | undefined
  return () => (read ??= readDisputeMovements(gateway, openedIn))
}

const readDisputeRecord = async (
  { movement, line }: Unmatched,
  disputeMovements: DisputeMovements,
): Promise<AcquirerRecord> => {
  if (line !== null) return line.amountYen
  const moved = await disputeMovements()
  return 'outcome' in moved ? moved : (moved.get(ledgerEntryName(movement)) ?? null)
}

const readAcquirerRecord = async (
  gateway: ReconciliationGateway,
  disputeMovements: DisputeMovements,
  unmatched: Unmatched,
  ours: OurRows,
): Promise<AcquirerRecord> => {
  const { movement, line } = unmatched
  if (movement.kind === 'charge') {
    const order = orderToAsk(unmatched, ours)
    if (order === null) return null
    const inquiry = await gateway.inquire(order)
    if (inquiry.outcome === 'unknown') return inquiry
    return inquiry.outcome === 'charged' ? inquiry.amountYen : null
  }
  if (movement.kind !== 'refund') return readDisputeRecord(unmatched, disputeMovements)
  const reference = ours.attempt?.reference ?? null
  // Its line in the statement is all there is about a refund without the reference of its charge, which cannot be asked about, and
  // about one that we never requested: an inquiry may know a refund only by what a restore has lost.
  if (reference === null || (ours.refund === null && line !== null)) return line?.amountYen ?? null
  const { amountYen, movedAt: requestedAt } = line ?? { amountYen: 0, movedAt: 0 }
  const listed = { orderCode: movement.orderCode, refundId: movement.refundId, reference, amountYen, requestedAt }
  const inquiry = await gateway.inquireRefund(ours.refund === null ? listed : refundOrderOf(ours.refund, reference))
  if (inquiry.outcome === 'unknown') return inquiry
  return inquiry.outcome === 'refunded' ? inquiry.amountYen : null
}

/**
 * Reads a movement on both sides at one moment: reads ours, inquires, and reads ours again until nothing changed meanwhile. We
 * store a request before the acquirer is asked and book it after the answer, so what still differs is a real discrepancy.
 */
export const readBothRecords = async (
  sql: Sql,
  gateway: ReconciliationGateway,
  disputeMovements: DisputeMovements,
  unmatched: Unmatched,
): Promise<{ readonly ours: OurRecord; readonly acquirer: AcquirerRecord; readonly scope: KeyScope | null }> => {
  let ours = await readOurRows(sql, unmatched.movement)
  for (;;) {
    const acquirer = await readAcquirerRecord(gateway, disputeMovements, unmatched, ours)
    const again = await readOurRows(sql, unmatched.movement)
    if (isDeepStrictEqual(ours, again)) return { ours: ours.record, acquirer, scope: scopeOf(ours) }
    ours = again
  }
}
