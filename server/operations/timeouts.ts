/** How long a caller waits for what another has begun on the same payment, and how often it looks. */
export const WAIT_FOR_OUTCOME_TIMEOUT_MS = 30_000
export const OUTCOME_POLL_INTERVAL_MS = 150
