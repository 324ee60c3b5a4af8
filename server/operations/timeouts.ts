/** Timeouts of a call that waits for the outcome of another call. */

export const WAIT_FOR_OUTCOME_TIMEOUT_MS = 30_000
export const OUTCOME_POLL_INTERVAL_MS = 150
