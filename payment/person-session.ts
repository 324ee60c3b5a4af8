/** Session of a person in the console: how long it lasts, and when it must be confirmed with a passkey. */
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from '#contract/jst.ts'

export const SESSION_MS = 12 * HOUR_MS
const SESSION_IDLE_MS = 30 * MINUTE_MS
/** How long a passkey confirms refunds, keys and people after it was asked for. */
export const CONFIRMED_MS = 5 * MINUTE_MS
/** A passkey that was enrolled after a recovery confirms nothing for so long: whoever reads a mailbox cannot refund at once. */
export const RECOVERY_WAIT_MS = DAY_MS
export const SIGN_IN_LINK_MS = 10 * MINUTE_MS
export const INVITATION_MS = 72 * HOUR_MS
export const CHALLENGE_MS = 5 * MINUTE_MS

export interface SessionTimes {
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
}

/** Also over where the clock was set back behind its beginning: nobody knows how old it is. */
export const isSessionOver = ({ createdAt, lastUsedAt }: SessionTimes, now: Instant): boolean =>
  now < createdAt || now - createdAt >= SESSION_MS || now - lastUsedAt >= SESSION_IDLE_MS

/** The passkey that a session was last confirmed with; null: it began by a link. */
export interface LastPasskey {
  readonly at: Instant
  /** From then on it confirms. */
  readonly confirmsFrom: Instant
}

/** Whether a session may move money or give access: yes, only after its passkey is asked for, or not before an instant. */
export type Confirmation =
  | { readonly state: 'confirmed' }
  | { readonly state: 'passkey needed' }
  | { readonly state: 'passkey too new'; readonly until: Instant }

export const confirmationOf = (last: LastPasskey | null, now: Instant): Confirmation => {
  if (last === null || now < last.at || now - last.at > CONFIRMED_MS) return { state: 'passkey needed' }
  return now < last.confirmsFrom ? { state: 'passkey too new', until: last.confirmsFrom } : { state: 'confirmed' }
}
