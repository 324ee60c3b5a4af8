/** Session of a person in the console: how long it lasts, and when it must be confirmed with a passkey. */
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from '#contract/jst.ts'
import { isYetToCome } from './clock.ts'

export const SESSION_MS = 12 * HOUR_MS
const SESSION_IDLE_MS = 30 * MINUTE_MS
/** How long a passkey confirms after it was asked for: refunds, keys, people, opening and closing a shop, removing a passkey. */
export const CONFIRMED_MS = 5 * MINUTE_MS
/** A passkey that was enrolled after a recovery confirms nothing for a day: whoever reads a mailbox cannot refund or change settings at once. */
export const RECOVERY_WAIT_MS = DAY_MS
export const SIGN_IN_LINK_MS = 10 * MINUTE_MS
export const INVITATION_MS = 72 * HOUR_MS
/** Of one shop, also those that were withdrawn: otherwise an owner could have the installation write to any number of strangers. */
export const INVITATIONS_PER_DAY = 50
export const CHALLENGE_MS = 5 * MINUTE_MS

/** Of sign-in links to one address. Whoever asks for more is answered the same, and nothing is sent. */
const LINKS_PER_HOUR = 5

/**
 * Whether one more may be mailed. `askedFrom`: the networks that those of this hour were asked from. One of them is kept for
 * other networks: otherwise a stranger who asks five times keeps the person of the address from links.
 */
export const mayMailLink = (askedFrom: readonly (string | null)[], network: string): boolean =>
  askedFrom.length < LINKS_PER_HOUR && askedFrom.filter((each) => each === network).length < LINKS_PER_HOUR - 1

/** Of one shop to one address. A shop that makes more is told so: it knows of its own alone. */
export const INVITATIONS_PER_HOUR = 5
/** Of all shops together to one address. */
export const INVITATION_MAILS_PER_HOUR = 20

/**
 * When the mail of an invitation goes; null: never. What is too many goes later, and its shop is not told: it would learn that
 * others invite the same person, and could keep them from it. `planned`: of the mails to this address, the newest first.
 */
export const invitationMailAt = (planned: readonly Instant[], now: Instant): Instant | null => {
  const before = planned[INVITATION_MAILS_PER_HOUR - 1]
  const at = before === undefined ? now : Math.max(now, before + HOUR_MS)
  return at - now < DAY_MS ? at : null
}

export interface SessionTimes {
  readonly createdAt: Instant
  readonly lastUsedAt: Instant
}

/** Also over where the clock was set back behind its beginning: nobody knows how old it is. */
export const isSessionOver = ({ createdAt, lastUsedAt }: SessionTimes, now: Instant): boolean =>
  isYetToCome(createdAt, now) || now - createdAt >= SESSION_MS || now - lastUsedAt >= SESSION_IDLE_MS

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
  if (last === null || isYetToCome(last.at, now) || now - last.at > CONFIRMED_MS) return { state: 'passkey needed' }
  return isYetToCome(last.confirmsFrom, now)
    ? { state: 'passkey too new', until: last.confirmsFrom }
    : { state: 'confirmed' }
}
