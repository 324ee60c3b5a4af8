/** Reconciliation, first pass: matches statement and ledger, so that only the rest is inquired about one by one. */
import { ledgerEntryName, type LedgerMovement } from './ledger-movement.ts'
import type { StatementLine } from './ports.ts'
import { movedYen, type LedgerEntry } from './reconcile.ts'

export interface StatementMatching {
  /** Add the whole statement before the first entry is matched. */
  addStatementLine(line: StatementLine): void
  /** True: the statement has exactly this once, and no other entry was matched with it. */
  matchEntry(entry: LedgerEntry): boolean
  /** Lines of the statement without a matching entry. */
  unmatchedLines(): Iterable<StatementLine>
  /** All amounts of a movement that the statement has more than once; null: it has it once or not at all. */
  listedTwice(movement: LedgerMovement): readonly number[] | null
}

export const movementOfLine = (line: StatementLine): LedgerMovement => {
  const { orderCode } = line
  switch (line.kind) {
    case 'charge':
      return { kind: line.kind, orderCode }
    case 'refund':
      return { kind: line.kind, orderCode, refundId: line.refundId }
    case 'chargeback':
    case 'chargeback_reversal':
      return { kind: line.kind, orderCode, movementId: line.movementId }
  }
}

export const createStatementMatching = (): StatementMatching => {
  const lines = new Map<string, StatementLine>()
  const repeated = new Map<string, readonly number[]>()
  return {
    addStatementLine: (line) => {
      const name = ledgerEntryName(movementOfLine(line))
      const known = lines.get(name)
      if (known === undefined) lines.set(name, line)
      else repeated.set(name, [...(repeated.get(name) ?? [known.amountYen]), line.amountYen])
    },
    matchEntry: (entry) => {
      const { movement, balanceYen } = entry
      if (movement === null || balanceYen !== 0) return false
      const name = ledgerEntryName(movement)
      if (lines.get(name)?.amountYen !== movedYen(entry) || repeated.has(name)) return false
      lines.delete(name)
      return true
    },
    unmatchedLines: () => lines.values(),
    listedTwice: (movement) => repeated.get(ledgerEntryName(movement)) ?? null,
  }
}
