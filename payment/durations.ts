/** Durations in milliseconds. A day is `DAY_MS` in contract/jst.ts. */
const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
