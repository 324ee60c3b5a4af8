/** What the acquirer does with a charge. Durations are at time scale 1. */
export const declineReasons = ['card_declined', 'card_expired', 'unsupported_card'] as const
export type DeclineReason = (typeof declineReasons)[number]

export type Behaviour =
  | { kind: 'charge' }
  | { kind: 'decline'; reason: DeclineReason }
  | { kind: 'book_and_stay_silent'; holdMs: number }
  | { kind: 'book_late'; pendingMs: number }
  | { kind: 'drop' }
  | { kind: 'book_and_fail' }
  | { kind: 'fail' }
  | { kind: 'queue'; queueMs: number }

/** What happens in the hidden frames before the bank is asked. */
export type Collecting =
  | 'method_finishes'
  | 'no_method'
  | 'method_never_ends'
  | 'method_ends_late'
  | 'method_fails_first'
  | 'unknown_event'
  | 'silence'

/** What the bank answers without asking the card holder. */
export type Decision =
  | 'authenticated'
  | 'authenticated_without_proof'
  | 'attempted'
  | 'failed'
  | 'unavailable'
  | 'rejected'
  | 'decoupled'
  | 'informational'

/** How the bank's page and what follows it behave. */
export type ChallengeKind =
  | 'code'
  | 'every_code_wrong'
  | 'cancel_only'
  | 'never_finishes'
  | 'not_frameable'
  | 'out_of_band'
  | 'announced_twice'
  | 'unknown_event'

/** Where the 3-D Secure server itself stumbles. */
export type Trouble =
  | 'none'
  | 'init_unavailable'
  | 'auth_fails_once'
  | 'auth_hangs'
  | 'result_fails_once'
  | 'short_result'

export type Issuer = { asks: 'nothing'; decision: Decision } | { asks: 'challenge'; challenge: ChallengeKind }

export type Scenario =
  | { enrolled: false; init: 'works' | 'not_participating' }
  | { enrolled: true; collecting: Collecting; issuer: Issuer; trouble: Trouble }

type Enrolled = Extract<Scenario, { enrolled: true }>

export const frictionless = (
  decision: Decision = 'authenticated',
  { collecting = 'method_finishes', trouble = 'none' }: Partial<Enrolled> = {},
): Scenario => ({ enrolled: true, collecting, issuer: { asks: 'nothing', decision }, trouble })

export const challenged = (
  challenge: ChallengeKind = 'code',
  { collecting = 'method_finishes', trouble = 'none' }: Partial<Enrolled> = {},
): Scenario => ({ enrolled: true, collecting, issuer: { asks: 'challenge', challenge }, trouble })

export const notEnrolled = (init: 'works' | 'not_participating'): Scenario => ({ enrolled: false, init })
