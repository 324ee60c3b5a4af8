/** No limits: budgets of keys and lanes that refuse nothing, for tests that send thousands of calls. */
import type { KeyLimits } from '../../server/http/limits/key-limits.ts'
import { NO_LIMITS, type LaneEntry, type LaneTable } from '../../server/http/limits/lane-table.ts'

const ANY_RATE = { burst: 1e9, perSecond: 1e9 }
const UNLIMITED = { calls: ANY_RATE, refunds: ANY_RATE }
/** For thousands of calls with one key while time stands still, and for measuring what a call costs. */
export const NO_KEY_LIMITS: KeyLimits = { test: UNLIMITED, live: UNLIMITED }

/** What the first card of a checkout of a link takes of its budget: nothing. */
export const UNCOUNTED = { waitSeconds: 0, giveBack: () => undefined } as const

const NEVER_SHED: LaneEntry = { ...NO_LIMITS, answer: 'call' }
/** For servers that carry out whatever they are sent, at once: the simulator leaves calls behind that never end. */
export const NO_LANE_LIMITS: LaneTable = {
  payment: NEVER_SHED,
  starts: NEVER_SHED,
  unstored: NEVER_SHED,
  strangers: NEVER_SHED,
  pieces: NEVER_SHED,
  health: NEVER_SHED,
  reads: NEVER_SHED,
  pages: NEVER_SHED,
  files: NEVER_SHED,
  browserReports: NEVER_SHED,
  forms: NEVER_SHED,
  notifications: NEVER_SHED,
  keyChecks: NEVER_SHED,
  refusals: NEVER_SHED,
  creates: NEVER_SHED,
  merchantCalls: NEVER_SHED,
  costlyCalls: NEVER_SHED,
  consoleCalls: NEVER_SHED,
  uploadBodies: NEVER_SHED,
  uploads: NEVER_SHED,
  reports: NEVER_SHED,
}
