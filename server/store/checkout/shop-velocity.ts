/** Velocity of a shop in memory: how many more cards may be tried there without a challenge, between two database reads. */
import type { Instant } from '#contract/jst.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { CardTestingLimits } from '#payment/card-testing.ts'
import { scopeName, type AccountRef, type OrderRef } from '#payment/references.ts'
import { cardsLeft, isServerPastLimit, usualShare } from '#payment/shop-limits.ts'
import { readServerCards, readShopCards, type Reads } from './shop-velocity-rows.ts'

/** Reading a busy shop takes as long as a payment, so it is read again each minute, or when no card is left. */
const SHOP_KEPT_MS = 60_000
/** While no card is left, it is not read more often than this. */
const SHOP_READ_AGAIN_MS = 3000
/** A card that was counted in memory may be missing in the database until its transaction has ended, at most this long. */
const STORED_AFTER_MS = 3000
const SERVER_KEPT_MS = 60_000
/** More shops than are busy in the same second. */
const KEPT_MAX = 1000
/** One alarm an hour for each cause, and no more causes than an operator can read. */
const ALARM_MS = 3_600_000
const ALARMS_MAX = 20

/** Counts of one server are complete. Of several, each takes a share of what is left, and then reads what the others have tried. */
export interface ShopVelocity {
  /**
   * Whether the card of this order may be tried at this shop without a challenge; if so, it is counted at once, and once: its
   * transaction may run again.
   */
  take(
    sql: Reads,
    order: AccountRef & Pick<OrderRef, 'orderCode'>,
    limits: CardTestingLimits,
    now: Instant,
  ): Promise<boolean>
  /** The same without counting it. */
  mayTryWithoutChallenge(sql: Reads, shop: AccountRef, limits: CardTestingLimits, now: Instant): Promise<boolean>
  /** Whether the limit of all shops together is exceeded. */
  isServerPastLimit(sql: Reads, mode: MerchantMode, limits: CardTestingLimits, now: Instant): Promise<boolean>
  /** Whether to raise an alarm for this cause: once an hour. */
  isNewAlarm(cause: string): boolean
}

interface KeptShop {
  readAt: number
  left: number
  /** How many cards may be taken until the next reading. */
  granted: number
  /** Times of the orders whose cards were counted and may be missing in the last reading. */
  taken: Map<string, number>
}

/** Keeps at most `max` entries and drops the oldest. */
const keep = <Kept>(kept: Map<string, Kept>, key: string, value: Kept, max: number): void => {
  kept.delete(key)
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= max) kept.delete(oldest)
  kept.set(key, value)
}

const isAnyLeft = ({ granted, taken }: KeptShop): boolean => taken.size < granted

/** The whole of what is left, or a share of it and at least one card: all servers take of the same. */
const grantOf = (left: number, taken: number, shares: number): number =>
  left <= taken ? left : taken + Math.ceil((left - taken) / shares)

const keptMs = (shop: KeptShop): number => {
  if (isAnyLeft(shop)) return SHOP_KEPT_MS
  // The share is used up, and not what is left: an honest shopper need not be challenged.
  return shop.granted < shop.left ? 0 : SHOP_READ_AGAIN_MS
}

/**
 * How much of what is left one of several servers takes between two readings. When all of it is used up, each other server may
 * still have its last share: three servers let at most two eighths more cards be tried than one.
 */
export const SHARES_OF_SEVERAL_SERVERS = 8

/** `shares`: 1 where one server uses the database. */
export const createShopVelocity = (elapsed: () => number, shares = 1): ShopVelocity => {
  const shops = new Map<string, KeptShop>()
  const servers = new Map<MerchantMode, { readonly until: number; readonly isPastLimit: boolean }>()
  const alarms = new Map<string, number>()

  const shopNow = async (sql: Reads, shop: AccountRef, limits: CardTestingLimits, now: Instant): Promise<KeptShop> => {
    const key = scopeName(shop)
    const known = shops.get(key)
    if (known !== undefined && elapsed() - known.readAt < keptMs(known)) return known
    const knownReadAt = known?.readAt
    // The time before the read: its rows may be older than its answer.
    const readAt = elapsed()
    const { ofHour, history } = await readShopCards(sql, shop, now)
    const current = shops.get(key)
    // Another call has read meanwhile, and its reading stands: in this one, cards counted since would be counted twice.
    if (current !== undefined && current.readAt !== knownReadAt) return current
    const kept = current ?? { readAt, left: 0, granted: 0, taken: new Map() }
    kept.readAt = readAt
    kept.left = cardsLeft(ofHour, usualShare(history), limits.shop)
    kept.taken = new Map([...kept.taken].filter(([, at]) => at > readAt - STORED_AFTER_MS))
    kept.granted = grantOf(kept.left, kept.taken.size, shares)
    keep(shops, key, kept, KEPT_MAX)
    return kept
  }
  return {
    take: async (sql, order, limits, now) => {
      const kept = await shopNow(sql, order, limits, now)
      if (!kept.taken.has(order.orderCode) && !isAnyLeft(kept)) return false
      kept.taken.set(order.orderCode, elapsed())
      return true
    },
    mayTryWithoutChallenge: async (sql, shop, limits, now) => isAnyLeft(await shopNow(sql, shop, limits, now)),
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
