/** The version of the notice a shopper agrees to by paying. Whoever changes the notice gives it the day of the change. */
export const CONSENT_VERSION = '2026-11-15'
