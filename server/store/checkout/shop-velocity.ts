/** Asked cards: how many cards more may be asked about at a shop without a challenge, kept in memory between readings. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { CardTestingLimits } from '#payment/card-testing.ts'
import { cardsLeft, isServerPastLimit, usualShare } from '#payment/shop-limits.ts'
import type { Sql } from '../engine/database.ts'
import { readServerCards, readShopCards, type ShopRef } from './shop-velocity-rows.ts'

/** To read a busy shop takes as long as a payment: it is read again when what was left has been taken, and each minute. */
const SHOP_KEPT_MS = 60_000
/** And not more often than this, while nothing is left. */
const SHOP_READ_AGAIN_MS = 3000
/** So long after it was counted in memory a question may be missing from the database: its transaction has not ended. */
const STORED_AFTER_MS = 3000
const SERVER_KEPT_MS = 60_000
/** More than are busy in the same second. */
const KEPT_MAX = 1000
/** One alarm an hour for each cause, and no more causes than a person can read. */
const ALARM_MS = 3_600_000
const ALARMS_MAX = 20

/** One database has one server that asks about cards: what it counts in memory is all there is beside the database. */
export interface AskedCards {
  /** Whether one more card may be asked about at this shop without a challenge; if so, it is counted at once. */
  take(sql: Sql, shop: ShopRef, limits: CardTestingLimits, now: Instant): Promise<boolean>
  /** The same without counting it. */
  isLeft(sql: Sql, shop: ShopRef, limits: CardTestingLimits, now: Instant): Promise<boolean>
  /** Whether cards are tried out all over the server. */
  isServerPastLimit(sql: Sql, mode: MerchantMode, limits: CardTestingLimits, now: Instant): Promise<boolean>
  /** Whether a person is to be called for this: once an hour. */
  isNewAlarm(cause: string): boolean
}

interface KeptShop {
  readAt: number
  left: number
  /** When cards were counted that the reading may not have seen. */
  taken: number[]
}

/** Drops the oldest beyond the number that is kept. */
const keep = <Kept>(kept: Map<string, Kept>, key: string, value: Kept, max: number): void => {
  kept.delete(key)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= max) kept.delete(oldest)
  kept.set(key, value)
}

const isAnyLeft = ({ left, taken }: KeptShop): boolean => taken.length < left

export const createAskedCards = (elapsed: () => number): AskedCards => {
  const shops = new Map<string, KeptShop>()
  const servers = new Map<MerchantMode, { readonly until: number; readonly isPastLimit: boolean }>()
  const alarms = new Map<string, number>()

  const shopNow = async (sql: Sql, shop: ShopRef, limits: CardTestingLimits, now: Instant): Promise<KeptShop> => {
    const key = `${shop.mode} ${shop.merchantId}`
    const known = shops.get(key)
    if (known !== undefined) {
      const keptMs = isAnyLeft(known) ? SHOP_KEPT_MS : SHOP_READ_AGAIN_MS
      if (elapsed() - known.readAt < keptMs) return known
    }
    // From before the reading, whose rows may be older than its answer.
    const readAt = elapsed()
    const { ofHour, history } = await readShopCards(sql, shop, now)
    // Another call may have read it meanwhile, and have counted: one list for both.
    const kept = shops.get(key) ?? { readAt, left: 0, taken: [] }
    kept.readAt = readAt
    kept.left = cardsLeft(ofHour, usualShare(history), limits.shop)
    kept.taken = kept.taken.filter((at) => at > readAt - STORED_AFTER_MS)
    keep(shops, key, kept, KEPT_MAX)
    return kept
  }
  return {
    take: async (sql, shop, limits, now) => {
      const kept = await shopNow(sql, shop, limits, now)
      if (!isAnyLeft(kept)) return false
      kept.taken.push(elapsed())
      return true
    },
    isLeft: async (sql, shop, limits, now) => isAnyLeft(await shopNow(sql, shop, limits, now)),
    isServerPastLimit: async (sql, mode, limits, now) => {
      const known = servers.get(mode)
      if (known !== undefined && elapsed() < known.until) return known.isPastLimit
      const until = elapsed() + SERVER_KEPT_MS
      const isPastLimit = isServerPastLimit(await readServerCards(sql, mode, now), limits.serverCardsPerHour)
      servers.set(mode, { until, isPastLimit })
      return isPastLimit
    },
    isNewAlarm: (cause) => {
      const at = elapsed()
      for (const [known, since] of alarms) if (at - since >= ALARM_MS) alarms.delete(known)
      if (alarms.has(cause) || alarms.size >= ALARMS_MAX) return false
      alarms.set(cause, at)
      return true
    },
  }
}
