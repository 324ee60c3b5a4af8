/** Recent merchants: rows of merchants that were just read, kept in memory for a second. */
import type { Sql } from '../engine/database.ts'
import { findMerchant, type Merchant } from './merchants.ts'

const KEPT_MS = 1000
/** For how long after its last reading a merchant is still known by its face. */
const RECALLED_MS = 600_000
/** More than are busy in the same second. */
export const KEPT_MAX = 1000

export type FindMerchant = (label: string) => Promise<Merchant | null>

export interface RecentMerchants extends FindMerchant {
  /**
   * As it was when it was last read, without a call to the database; null where that is long ago or never was. For the name and
   * the contact on an error page alone: there the database may be what has failed.
   */
  readonly recall: (label: string) => Merchant | null
}

/**
 * Finds a merchant by its label. Each call of a payment names one, and a busy merchant would be read a hundred times a second.
 * What is changed in between, its settings and a forced challenge, holds a second later at the latest. API keys are
 * never kept: one that is taken back ends at once. Not by the wall clock: set back, it would keep a merchant for longer.
 */
export const createRecentMerchants = (sql: Sql, elapsed: () => number): RecentMerchants => {
  const kept = new Map<string, { readonly merchant: Merchant; readonly until: number }>()
  const find: FindMerchant = async (label) => {
    const recent = kept.get(label)
    if (recent !== undefined && elapsed() < recent.until) return recent.merchant
    // Counted from before the reading, whose row may be older than its answer.
    const until = elapsed() + KEPT_MS
    const merchant = await findMerchant(sql, label)
    // Last in the order of the map: the first is the oldest.
    kept.delete(label)
    // One that does not exist is not kept: anybody can think of labels, and a new merchant is there at once.
    if (merchant === null) return null
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= KEPT_MAX) kept.delete(oldest)
    kept.set(label, { merchant, until })
    return merchant
  }
  const recall = (label: string): Merchant | null => {
    const recent = kept.get(label)
    return recent !== undefined && elapsed() < recent.until + RECALLED_MS ? recent.merchant : null
  }
  return Object.assign(find, { recall })
}
