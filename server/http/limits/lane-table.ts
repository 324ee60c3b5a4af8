/** Lane table: every lane with its limits, who counts as one caller in it, and how what is shed is answered. */
import type { CallLane } from '#contract/calls.ts'
import type { LaneLimits } from './lane.ts'

/**
 * `payment` is of orders that the server has begun, `starts` of starts and cancels of checkouts that it has found, `unstored` of those
 * of checkouts that a reusable link has opened and no card was sent for, `strangers` of what names none (payment-ranks.ts). `keyChecks`: merchant calls until their key is known. `refusals`: answers to unknown keys and links, which are sent slowly
 * where many wait for one. `uploadBodies`: pictures that are being sent. `pieces`: long answers, which are worked on piece by
 * piece. `notifications`: of acquirers, until their signature is checked. `forms`: of pages that run no script. `browserReports`: what no payment needs.
 */
export type LaneName =
  | CallLane
  | 'starts'
  | 'unstored'
  | 'strangers'
  | 'health'
  | 'pages'
  | 'browserReports'
  | 'forms'
  | 'notifications'
  | 'keyChecks'
  | 'refusals'
  | 'uploadBodies'
  | 'pieces'

/** How what is shed is answered: as an error of the contract, as a page, or in plain text. */
type ShedAnswer = 'call' | 'page' | 'plain'

export interface LaneEntry extends LaneLimits {
  readonly answer: ShedAnswer
}

/** Lanes that come before all others, in this order, each for so many milliseconds of a turn. New connections are accepted between turns. */
export const FIRST_LANES = [
  ['payment', 10],
  ['starts', 4],
] as const satisfies readonly (readonly [LaneName, number])[]

export type LaneTable = Readonly<Record<LaneName, LaneEntry>>

const NONE = Number.POSITIVE_INFINITY
export const NO_LIMITS: LaneLimits = { atOnce: NONE, atOncePerCaller: NONE, waiting: NONE, waitMs: NONE }

/**
 * One caller is a merchant, once its key is known, else the network of the request. Few are worked on at once: each keeps the
 * processor or the database busy, and a payment would stand behind all of them in the queue for a connection. A shopper who
 * reads a checkout after a failed call waits for long before the reading is shed.
 */
export const LANES: LaneTable = {
  payment: { ...NO_LIMITS, answer: 'call' },
  starts: { ...NO_LIMITS, atOncePerCaller: 5, answer: 'call' },
  // As many first cards as one busy link has a second, each of which may wait for an acquirer; a room behind one address.
  unstored: { ...NO_LIMITS, atOnce: 40, atOncePerCaller: 10, answer: 'call' },
  strangers: { ...NO_LIMITS, atOnce: 10, atOncePerCaller: 5, answer: 'call' },
  pieces: { ...NO_LIMITS, answer: 'call' },
  health: { atOnce: 20, atOncePerCaller: 10, waiting: 200, waitMs: 2000, answer: 'call' },
  reads: { atOnce: 40, atOncePerCaller: 8, waiting: 1000, waitMs: 5000, answer: 'call' },
  pages: { atOnce: 20, atOncePerCaller: 10, waiting: 150, waitMs: 2000, answer: 'page' },
  files: { atOnce: 200, atOncePerCaller: 100, waiting: 500, waitMs: 5000, answer: 'plain' },
  browserReports: { atOnce: 20, atOncePerCaller: 5, waiting: 50, waitMs: 2000, answer: 'call' },
  forms: { atOnce: 20, atOncePerCaller: 5, waiting: 100, waitMs: 2000, answer: 'page' },
  notifications: { atOnce: 10, atOncePerCaller: 5, waiting: 200, waitMs: 5000, answer: 'call' },
  keyChecks: { atOnce: 10, atOncePerCaller: 5, waiting: 1000, waitMs: 5000, answer: 'call' },
  refusals: { ...NO_LIMITS, atOnce: 20, atOncePerCaller: 10, paceMs: 50, answer: 'call' },
  creates: { atOnce: 10, atOncePerCaller: 5, waiting: 300, waitMs: 5000, answer: 'call' },
  merchantCalls: { atOnce: 60, atOncePerCaller: 20, waiting: 300, waitMs: 5000, answer: 'call' },
  costlyCalls: { atOnce: 4, atOncePerCaller: 2, waiting: 100, waitMs: 5000, answer: 'call' },
  consoleCalls: { atOnce: 20, atOncePerCaller: 6, waiting: 300, waitMs: 5000, answer: 'call' },
  uploadBodies: { atOnce: 24, atOncePerCaller: 4, waiting: 24, waitMs: 5000, answer: 'call' },
  uploads: { atOnce: 4, atOncePerCaller: 2, waiting: 24, waitMs: 10_000, answer: 'call' },
  reports: { atOnce: 8, atOncePerCaller: 2, waiting: 40, waitMs: 5000, answer: 'call' },
}
