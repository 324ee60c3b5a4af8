/** Reconciliation period: which time is compared with the acquirer's statement, and for which times statement and disputes are asked for. */
import { DAY_MS, HOUR_MS, type Instant } from '#contract/jst.ts'
import type { Period } from './ports.ts'

const RECONCILED_BY_DEFAULT_MS = 30 * DAY_MS

/** The last 30 days. */
export const recentPeriod = (now: Instant): Period => ({ from: now - RECONCILED_BY_DEFAULT_MS, to: now })

export const ALL_TIME: Period = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** The clocks of both sides may differ: a movement near an end of the period may be listed beyond it. */
const MARGIN_MS = HOUR_MS

/** The period to ask the acquirer for. */
export const withMargin = ({ from, to }: Period): Period => ({
  from: Math.max(0, from - MARGIN_MS),
  to: Math.min(to + MARGIN_MS, Number.MAX_SAFE_INTEGER),
})

const DISPUTES_ASKED_FOR_MS = 180 * DAY_MS
/** An arbitration can last longer than a year; what an acquirer never ends must not make every reading longer. */
export const DISPUTE_LASTS_MS = 540 * DAY_MS
/** The clock of the acquirer may be ahead, and its days begin elsewhere. */
const DISPUTE_MARGIN_MS = DAY_MS

/** When the disputes were opened that can be news: in the last 180 days, or since the oldest that is not over. */
export const disputesToAskFor = (now: Instant, oldestNotOver: Instant | null): Period => ({
  from: Math.max(0, Math.min(now - DISPUTES_ASKED_FOR_MS, oldestNotOver ?? now)),
  to: now + DISPUTE_MARGIN_MS,
})

/** When the disputes were opened that can have moved money in a period. */
export const disputesMovingIn = ({ from, to }: Period): Period => ({
  from: Math.max(0, from - DISPUTE_LASTS_MS),
  to: Math.min(to + DISPUTE_MARGIN_MS, Number.MAX_SAFE_INTEGER),
})
