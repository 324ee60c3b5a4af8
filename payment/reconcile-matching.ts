/** Reconciliation, first pass: matches statement and ledger, so that only the rest is inquired about one by one. */
import { ledgerEntryName, type LedgerMovement } from './ledger-movement.ts'
import type { StatementLine } from './ports.ts'
import { movedYen, type LedgerEntry } from './reconcile.ts'

export interface StatementMatching {
  /** Add the whole statement before the first entry is matched. */
  addStatementLine(line: StatementLine): void
  /** True: the statement has exactly this once, and no other entry was matched with it. */
  matchEntry(entry: LedgerEntry): boolean
  /** Movements of the statement without a matching entry. */
  unmatchedMovements(): Iterable<LedgerMovement>
  /** All amounts of a movement that the statement has more than once; null: it has it once or not at all. */
  listedTwice(movement: LedgerMovement): readonly number[] | null
}

export const createStatementMatching = (): StatementMatching => {
  const charges = new Map<string, number>()
  const refunds = new Map<string, Map<string, number>>()
  const repeated = new Map<string, readonly number[]>()

  const statementYen = (movement: LedgerMovement): number | undefined =>
    movement.kind === 'charge'
      ? charges.get(movement.orderCode)
      : refunds.get(movement.orderCode)?.get(movement.refundId)
  const set = (movement: LedgerMovement, yen: number): void => {
    const { orderCode } = movement
    if (movement.kind === 'charge') charges.set(orderCode, yen)
    else refunds.set(orderCode, (refunds.get(orderCode) ?? new Map<string, number>()).set(movement.refundId, yen))
  }
  const remove = (movement: LedgerMovement): void => {
    if (movement.kind === 'charge') charges.delete(movement.orderCode)
    else refunds.get(movement.orderCode)?.delete(movement.refundId)
  }
  const add = (movement: LedgerMovement, yen: number): void => {
    const known = statementYen(movement)
    if (known === undefined) return set(movement, yen)
    const name = ledgerEntryName(movement)
    repeated.set(name, [...(repeated.get(name) ?? [known]), yen])
  }

  return {
    addStatementLine: ({ orderCode, chargedYen, refunds: refunded }) => {
      add({ kind: 'charge', orderCode }, chargedYen)
      for (const { refundId, amountYen } of refunded) add({ kind: 'refund', orderCode, refundId }, amountYen)
    },
    matchEntry: (entry) => {
      const { movement, balanceYen } = entry
      if (movement === null || balanceYen !== 0 || statementYen(movement) !== movedYen(entry)) return false
      if (repeated.has(ledgerEntryName(movement))) return false
      remove(movement)
      return true
    },
    *unmatchedMovements() {
      for (const orderCode of charges.keys()) yield { kind: 'charge', orderCode }
      for (const [orderCode, byId] of refunds)
        for (const refundId of byId.keys()) yield { kind: 'refund', orderCode, refundId }
    },
    listedTwice: (movement) => repeated.get(ledgerEntryName(movement)) ?? null,
  }
}
