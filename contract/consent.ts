/** 3-D Secure consent: the version of the notice that a shopper agrees to by paying. Changed with the notice, to that day. */
export const CONSENT_VERSION = '2026-11-16'
