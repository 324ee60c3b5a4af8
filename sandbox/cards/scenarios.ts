/** Scenarios: everything that a bank, a 3-D Secure server or an acquirer of the sandbox can do with a card. */
export const DECLINE_REASONS = ['card_declined', 'card_expired', 'unsupported_card'] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** Acquirer behaviour: what it does with a charge of a card. Durations are at time scale 1. */
export type AcquirerBehaviour =
  | { readonly kind: 'charge' }
  | { readonly kind: 'decline'; readonly reason: DeclineReason }
  | { readonly kind: 'charge_then_never_answer'; readonly holdMs: number }
  | { readonly kind: 'charge_late'; readonly pendingMs: number }
  | { readonly kind: 'charge_then_answer_500' }
  | { readonly kind: 'answer_500' }
  | { readonly kind: 'drop_connection' }
  | { readonly kind: 'queue_charge'; readonly queueMs: number }

/** What happens in the hidden frames before the bank is asked. */
export type CollectingBehaviour =
  | 'method_finishes'
  | 'no_method'
  | 'method_never_ends'
  | 'method_ends_late'
  | 'method_fails_first'
  | 'unknown_event'
  | 'never_answers'

/** What the bank answers in the frictionless flow, without asking the card holder. */
export type FrictionlessDecision =
  | 'authenticated'
  | 'authenticated_without_proof'
  | 'attempted'
  | 'failed'
  | 'unavailable'
  | 'rejected'
  | 'decoupled'
  | 'informational'

/** How the bank's challenge page, and the event after it, behave. */
export type ChallengeKind =
  | 'code'
  | 'every_code_wrong'
  | 'cancel_only'
  | 'never_finishes'
  | 'not_frameable'
  | 'out_of_band'
  | 'event_sent_twice'
  | 'unknown_event'

/** Fault injection: the call at which the 3-D Secure server itself fails. */
export type InjectedFault =
  | 'none'
  | 'init_unavailable'
  | 'auth_fails_once'
  | 'auth_never_answers'
  | 'result_fails_once'
  | 'result_incomplete'

export type IssuerBehaviour =
  | { readonly flow: 'frictionless'; readonly decision: FrictionlessDecision }
  | { readonly flow: 'challenge'; readonly challenge: ChallengeKind }

type InitBehaviour = 'works' | 'not_participating'

interface EnrolledScenario {
  readonly enrolled: true
  readonly collecting: CollectingBehaviour
  readonly issuer: IssuerBehaviour
  readonly fault: InjectedFault
}

export type ThreeDSScenario = { readonly enrolled: false; readonly init: InitBehaviour } | EnrolledScenario

type Deviations = Partial<Pick<EnrolledScenario, 'collecting' | 'fault'>>

const enrolled = (
  issuer: IssuerBehaviour,
  { collecting = 'method_finishes', fault = 'none' }: Deviations,
): EnrolledScenario => ({ enrolled: true, collecting, issuer, fault })

export const frictionless = (
  decision: FrictionlessDecision = 'authenticated',
  deviations: Deviations = {},
): ThreeDSScenario => enrolled({ flow: 'frictionless', decision }, deviations)

export const challenged = (challenge: ChallengeKind = 'code', deviations: Deviations = {}): ThreeDSScenario =>
  enrolled({ flow: 'challenge', challenge }, deviations)

export const notEnrolled = (init: InitBehaviour): ThreeDSScenario => ({ enrolled: false, init })
