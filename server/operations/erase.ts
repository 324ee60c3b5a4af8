/** Erase: an address of a shopper, wherever the database holds it; the books stay as they are. */
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
  /** Payments under way, which keep it until they have ended. */
  readonly inFlight: number
  /** Merchants that have it as their own address, which stays. */
  readonly merchants: number
  /** Whether the bytes are gone from the files too. */
  readonly isCompacted: boolean
  /** Whether the files were written anew for that: not where nothing was erased. */
  readonly isRewritten: boolean
}

/**
 * In rounds, until one finds nothing: a transaction that had read the address before it was erased may write it once more.
 * The last round comes after the compacting, which takes longer than any transaction. Where nothing was erased, and nothing
 * by an earlier run that was interrupted, nothing is compacted: writers would wait for it.
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
