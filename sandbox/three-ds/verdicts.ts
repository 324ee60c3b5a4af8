import { randomBytes } from 'node:crypto'
import { type Brand, brandOf } from '../cards/cards.ts'
import type { Decision } from '../cards/scenarios.ts'

/** The bank's last word, in the words of EMV 3-D Secure. */
export type Verdict = {
  transStatus: 'Y' | 'A' | 'N' | 'U' | 'R' | 'D' | 'I'
  eci?: string
  authenticationValue?: string
  transStatusReason?: string
  challengeCancel?: string
  authenticationType?: '02' | '03'
}

type Strength = 'full' | 'attempt' | 'none' | 'data_only'

const commonEcis: Record<Strength, string> = { full: '05', attempt: '06', none: '07', data_only: '07' }
const mastercardEcis: Record<Strength, string> = { full: '02', attempt: '01', none: '00', data_only: '04' }

const ecisOf = (brand: Brand): Record<Strength, string> => (brand === 'master' ? mastercardEcis : commonEcis)

/** Twenty bytes, 28 characters in base64. */
const newAuthenticationValue = (): string => randomBytes(20).toString('base64')

const authenticated = (ecis: Record<Strength, string>): Verdict => ({
  transStatus: 'Y',
  eci: ecis.full,
  authenticationValue: newAuthenticationValue(),
})

const decisions: Record<Decision, (ecis: Record<Strength, string>) => Verdict> = {
  authenticated,
  authenticated_without_proof: (ecis) => ({ transStatus: 'Y', eci: ecis.full }),
  attempted: (ecis) => ({ transStatus: 'A', eci: ecis.attempt, authenticationValue: newAuthenticationValue() }),
  failed: (ecis) => ({ transStatus: 'N', eci: ecis.none, transStatusReason: '01' }),
  unavailable: (ecis) => ({ transStatus: 'U', eci: ecis.none, transStatusReason: '22' }),
  rejected: (ecis) => ({ transStatus: 'R', eci: ecis.none, transStatusReason: '11' }),
  decoupled: (ecis) => ({ transStatus: 'D', eci: ecis.none }),
  informational: (ecis) => ({ transStatus: 'I', eci: ecis.data_only }),
}

export const verdictWithoutChallenge = (number: string, decision: Decision): Verdict =>
  decisions[decision](ecisOf(brandOf(number)))

export type ChallengeEnd =
  | 'right_code'
  | 'approved_in_app'
  | 'wrong_codes'
  | 'cancelled'
  | 'idle'
  | 'not_opened'
  | 'result_not_delivered'

/** Reasons and cancel codes by the tables of EMV 3-D Secure. */
const failures: Record<
  Exclude<ChallengeEnd, 'right_code' | 'approved_in_app'>,
  Pick<Verdict, 'transStatusReason' | 'challengeCancel'>
> = {
  wrong_codes: { transStatusReason: '19' },
  cancelled: { transStatusReason: '01', challengeCancel: '01' },
  idle: { transStatusReason: '14', challengeCancel: '04' },
  not_opened: { transStatusReason: '14', challengeCancel: '05' },
  result_not_delivered: { transStatusReason: '26', challengeCancel: '07' },
}

export const verdictAfterChallenge = (number: string, end: ChallengeEnd): Verdict => {
  const ecis = ecisOf(brandOf(number))
  if (end === 'right_code') return { ...authenticated(ecis), authenticationType: '02' }
  if (end === 'approved_in_app') return { ...authenticated(ecis), authenticationType: '03' }
  return { transStatus: 'N', eci: ecis.none, ...failures[end] }
}
