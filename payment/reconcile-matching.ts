import { entryName, type Movement } from './ledger-movement.ts'
import type { StatementLine } from './ports.ts'
import { movedYen, type Entry } from './reconcile.ts'

/** Finds what is plainly the same on both sides, so that only the rest need be looked at one by one. */
export interface Matching {
  /** All of the acquirer's statement comes first. */
  there(line: StatementLine): void
  /** True when exactly this moved there, once, and no other entry stands for it. */
  here(entry: Entry): boolean
  /** What moved there and met no entry. */
  leftThere(): Iterable<Movement>
  /** All amounts of what the statement has more than once; null: it has it once or not at all. */
  listedTwice(movement: Movement): readonly number[] | null
}

export const openMatching = (): Matching => {
  const charges = new Map<string, number>()
  const refunds = new Map<string, Map<string, number>>()
  const repeated = new Map<string, readonly number[]>()

  const yenThere = (movement: Movement): number | undefined =>
    movement.kind === 'charge'
      ? charges.get(movement.orderCode)
      : refunds.get(movement.orderCode)?.get(movement.refundId)
  const write = (movement: Movement, yen: number): void => {
    const { orderCode } = movement
    if (movement.kind === 'charge') charges.set(orderCode, yen)
    else refunds.set(orderCode, (refunds.get(orderCode) ?? new Map<string, number>()).set(movement.refundId, yen))
  }
  const strike = (movement: Movement): void => {
    if (movement.kind === 'charge') charges.delete(movement.orderCode)
    else refunds.get(movement.orderCode)?.delete(movement.refundId)
  }
  const list = (movement: Movement, yen: number): void => {
    const known = yenThere(movement)
    if (known === undefined) return write(movement, yen)
    const name = entryName(movement)
    repeated.set(name, [...(repeated.get(name) ?? [known]), yen])
  }

  return {
    there: ({ orderCode, chargedYen, refunds: given }) => {
      list({ kind: 'charge', orderCode }, chargedYen)
      for (const { refundId, amountYen } of given) list({ kind: 'refund', orderCode, refundId }, amountYen)
    },
    here: (entry) => {
      const { movement, balanceYen } = entry
      if (movement === null || balanceYen !== 0 || yenThere(movement) !== movedYen(entry)) return false
      if (repeated.has(entryName(movement))) return false
      strike(movement)
      return true
    },
    *leftThere() {
      for (const orderCode of charges.keys()) yield { kind: 'charge', orderCode }
      for (const [orderCode, given] of refunds)
        for (const refundId of given.keys()) yield { kind: 'refund', orderCode, refundId }
    },
    listedTwice: (movement) => repeated.get(entryName(movement)) ?? null,
  }
}
