/** How long a caller waits for what another has begun on the same payment, and how often it looks. */
export const PATIENCE_MS = 30_000
export const LOOK_AGAIN_MS = 150
