/** Erase: removes a shopper's address from the whole database. Ledger and payments stay as they are. */
import { createEraser } from '#payment/erasure.ts'
import { compact } from '../store/erasure/compact.ts'
import type { Database } from '../store/engine/database.ts'
import {
  countInFlightTo,
  countMerchantsOf,
  ERASED_TABLES,
  eraseRound,
  forgetUncompacted,
  uncompactedErasures,
} from '../store/erasure/erase-address.ts'

const ROUNDS_MAX = 5

export interface Erasure {
  /** Rows in which the address was, by table. */
  readonly erased: Readonly<Record<string, number>>
  /** Payments under way, which keep the address until they end. */
  readonly inFlight: number
  /** Merchants with this address as their own, which stays. */
  readonly merchants: number
  /** Whether the bytes are gone from the files as well. */
  readonly isCompacted: boolean
  /** Whether the files were rewritten for that. Where nothing was erased they are not. */
  readonly isRewritten: boolean
}

/**
 * Repeats until a round finds nothing: a transaction that read the address before may write it again. The last round comes
 * after the compaction, which takes longer than any transaction. If nothing was erased, now or by an interrupted run before,
 * nothing is compacted: writers would have to wait.
 */
export const erase = async (database: Database, address: string): Promise<Erasure> => {
  const eraser = createEraser(address)
  const erased: Record<string, number> = {}
  let [isCompacted, isRewritten] = [true, false]
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const found = await eraseRound(database, address, eraser)
    for (const [table, rows] of found) erased[table] = (erased[table] ?? 0) + rows
    const uncompacted = await uncompactedErasures(database)
    if (uncompacted.length === 0) break
    isCompacted = await compact(database, ERASED_TABLES)
    isRewritten ||= isCompacted
    if (isCompacted) await forgetUncompacted(database, uncompacted)
  }
  const [inFlight, merchants] = [await countInFlightTo(database, eraser), await countMerchantsOf(database, eraser)]
  return { erased, inFlight, merchants, isCompacted, isRewritten }
}
