/** Recent merchants: a merchant that was read is kept in memory for a second. */
import type { Sql } from '../engine/database.ts'
import { findMerchant, type Merchant } from './merchants.ts'

const KEPT_MS = 1000
/** An error page can show the name of a shop for ten minutes after its last reading. */
const RECALLED_MS = 600_000
/** More merchants than are busy in the same second. */
export const KEPT_MAX = 1000

export type FindMerchant = (label: string) => Promise<Merchant | null>

export interface RecentMerchants extends FindMerchant {
  /**
   * The merchant as it was last read, without a database call; null where that is too long ago. Only for name and contact on an
   * error page, where the database itself may have failed.
   */
  readonly recall: (label: string) => Merchant | null
}

/**
 * Finds a merchant by its label. Each call of a payment names one, and a busy merchant would be read a hundred times a second.
 * Changed settings and a forced challenge take effect within a second. API keys are never kept: a revoked key ends at once.
 * The time is not the wall clock, which may be set back.
 */
export const createRecentMerchants = (sql: Sql, elapsed: () => number): RecentMerchants => {
  const kept = new Map<string, { readonly merchant: Merchant; readonly until: number }>()
  const find: FindMerchant = async (label) => {
    const recent = kept.get(label)
    if (recent !== undefined && elapsed() < recent.until) return recent.merchant
    // Counted from before the read: its row may be older than its answer.
    const until = elapsed() + KEPT_MS
    const merchant = await findMerchant(sql, label)
    // Moves it to the end of the map, where the first entry is the oldest.
    kept.delete(label)
    // A missing merchant is not kept: anybody can invent labels, and a new merchant must be found at once.
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
