/** Reconciliation period: which time is compared with the acquirer's statement, and with which margin it is asked for. */
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
