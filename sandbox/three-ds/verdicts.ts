/** Verdict: the bank's final answer, in the fields of EMV 3-D Secure. */
import { randomBytes } from 'node:crypto'
import { brandOf, type Brand } from '../cards/cards.ts'
import type { FrictionlessDecision } from '../cards/scenarios.ts'

export interface Verdict {
  readonly transStatus: 'Y' | 'A' | 'N' | 'U' | 'R' | 'D' | 'I'
  readonly eci?: string
  readonly authenticationValue?: string
  readonly transStatusReason?: string
  readonly challengeCancel?: string
  readonly authenticationType?: '02' | '03'
}

type EciKind = 'full' | 'attempt' | 'none' | 'data_only'
type Ecis = Readonly<Record<EciKind, string>>

const commonEcis: Ecis = { full: '05', attempt: '06', none: '07', data_only: '07' }
const mastercardEcis: Ecis = { full: '02', attempt: '01', none: '00', data_only: '04' }

const ecisOf = (brand: Brand): Ecis => (brand === 'master' ? mastercardEcis : commonEcis)

/** Twenty bytes, 28 characters in base64. */
const newAuthenticationValue = (): string => randomBytes(20).toString('base64')

const authenticated = (ecis: Ecis): Verdict => ({
  transStatus: 'Y',
  eci: ecis.full,
  authenticationValue: newAuthenticationValue(),
})

const frictionlessVerdicts: Record<FrictionlessDecision, (ecis: Ecis) => Verdict> = {
  authenticated,
  authenticated_without_proof: (ecis) => ({ transStatus: 'Y', eci: ecis.full }),
  attempted: (ecis) => ({ transStatus: 'A', eci: ecis.attempt, authenticationValue: newAuthenticationValue() }),
  failed: (ecis) => ({ transStatus: 'N', eci: ecis.none, transStatusReason: '01' }),
  unavailable: (ecis) => ({ transStatus: 'U', eci: ecis.none, transStatusReason: '22' }),
  rejected: (ecis) => ({ transStatus: 'R', eci: ecis.none, transStatusReason: '11' }),
  decoupled: (ecis) => ({ transStatus: 'D', eci: ecis.none }),
  informational: (ecis) => ({ transStatus: 'I', eci: ecis.data_only }),
}

export const frictionlessVerdict = (number: string, decision: FrictionlessDecision): Verdict =>
  frictionlessVerdicts[decision](ecisOf(brandOf(number)))

export type ChallengeOutcome =
  | 'right_code'
  | 'approved_in_app'
  | 'wrong_codes'
  | 'cancelled'
  | 'idle'
  | 'not_opened'
  | 'result_not_delivered'

/** Reasons and cancel codes by the tables of EMV 3-D Secure. */
const failedChallengeReasons: Record<
  Exclude<ChallengeOutcome, 'right_code' | 'approved_in_app'>,
  Pick<Verdict, 'transStatusReason' | 'challengeCancel'>
> = {
  wrong_codes: { transStatusReason: '19' },
  cancelled: { transStatusReason: '01', challengeCancel: '01' },
  idle: { transStatusReason: '14', challengeCancel: '04' },
  not_opened: { transStatusReason: '14', challengeCancel: '05' },
  result_not_delivered: { transStatusReason: '26', challengeCancel: '07' },
}

export const challengeVerdict = (number: string, outcome: ChallengeOutcome): Verdict => {
  const ecis = ecisOf(brandOf(number))
  if (outcome === 'right_code') return { ...authenticated(ecis), authenticationType: '02' }
  if (outcome === 'approved_in_app') return { ...authenticated(ecis), authenticationType: '03' }
  return { transStatus: 'N', eci: ecis.none, ...failedChallengeReasons[outcome] }
}
