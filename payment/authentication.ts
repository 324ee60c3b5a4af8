/** What a 3-D Secure server vouches for, passed on to the acquirer with the charge. */
export interface Authentication {
  readonly transStatus: 'Y' | 'A'
  readonly eci: string
  readonly authenticationValue: string
  readonly dsTransId: string
  readonly messageVersion: string
}

/** Why a card may be charged without authentication. */
export type ExemptionReason = 'not_enrolled'

/** What clears an attempt for charging: nothing else does. */
export type Clearance =
  | { readonly by: 'authentication'; readonly authentication: Authentication }
  | { readonly by: 'exemption'; readonly reason: ExemptionReason }

export type Enrolment = 'enrolled' | 'not_enrolled'

/** A card outside 3-D Secure is charged only where its merchant has said that it bears that risk. */
export const exemptionFor = (enrolment: Enrolment, merchantAllowsExemption: boolean): ExemptionReason | undefined =>
  enrolment === 'not_enrolled' && merchantAllowsExemption ? 'not_enrolled' : undefined
