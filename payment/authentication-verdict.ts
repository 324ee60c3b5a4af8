/** 3-D Secure verdict: which transStatus clears a card for charging, and which refuses it. */

/** The proof of an authentication, which the acquirer gets with the charge. */
export interface Authentication {
  readonly transStatus: 'Y' | 'A'
  readonly eci: string
  readonly authenticationValue: string
  readonly dsTransId: string
  readonly messageVersion: string
}

/** Why a card may be charged without authentication. */
export type ExemptionReason = 'not_enrolled'

/** What allows an attempt to be charged. Nothing else does. */
export type Clearance =
  | {
      readonly by: 'authentication'
      readonly authentication: Authentication
      /** The card holder passed a challenge of the issuer. */
      readonly challenged?: true
    }
  | { readonly by: 'exemption'; readonly reason: ExemptionReason }

/** The merchant's settings for authentication. */
export interface AuthenticationPolicy {
  /** Whether a card outside 3-D Secure may be charged. The merchant is then liable for chargebacks. */
  readonly allowExemption: boolean
  /** Whether `A` (attempted: the issuer did not authenticate the card holder) is refused. */
  readonly requireFullAuthentication: boolean
}

/** The merchant's policy at this moment. */
export interface PolicyNow extends AuthenticationPolicy {
  /** Cards are being tested: the issuer is asked for a challenge, and only a fully authenticated card holder may pay. */
  readonly requireChallenge: boolean
}

/**
 * Whether a clearance still allows the charge if a challenge is required by now. `Y` does, with a challenge or without: some
 * issuers never challenge, and their honest card holders would all be refused.
 */
export const isClearedUnder = (
  clearance: Clearance,
  { requireChallenge }: Pick<PolicyNow, 'requireChallenge'>,
): boolean => !requireChallenge || (clearance.by === 'authentication' && clearance.authentication.transStatus === 'Y')

export const TRANS_STATUSES = ['Y', 'A', 'N', 'R', 'U', 'I', 'D'] as const
export type TransStatus = (typeof TRANS_STATUSES)[number]

/** The final result of one authentication, read from the 3-D Secure server alone. */
export interface Verdict {
  readonly transStatus: TransStatus
  readonly eci: string | null
  readonly authenticationValue: string | null
  readonly dsTransId: string | null
  readonly messageVersion: string | null
  /** The issuer's reason, for the log. The shopper is not told. */
  readonly reason: string | null
  /** How a challenge ended without an answer: cancelled by the card holder, or a timeout. */
  readonly challengeCancel: string | null
}

export type Judgement =
  | { readonly judged: 'cleared'; readonly clearance: Clearance }
  | {
      readonly judged: 'refused'
      readonly reason: string
      /** Whether it counts for the decline limit (`decline-limit.ts`). */
      readonly counted: boolean
      /** The issuer does not want this card to be tried again. */
      readonly blocksCard: boolean
      /** The card holder left the challenge, or its time ran out: the issuer has not judged the card. */
      readonly unfinished?: true
    }

type Counts = Pick<Extract<Judgement, { judged: 'refused' }>, 'counted' | 'blocksCard' | 'unfinished'>

const refused = (verdict: Verdict, why: string, counts: Counts): Judgement => ({
  judged: 'refused',
  reason: verdict.reason === null ? why : `${why} (${verdict.reason})`,
  ...counts,
})

/** ECI without a liability shift: Mastercard's 00 (not authenticated) and 04 (data only), 07 of all other brands. */
const NO_LIABILITY_SHIFT: readonly string[] = ['00', '04', '07']

interface JudgedUnder {
  readonly policy: PolicyNow
  /** Whether the answer came after a challenge. */
  readonly afterChallenge: boolean
}

const UNCOUNTED = { counted: false, blocksCard: false }

const vouchedFor = (
  verdict: Verdict,
  transStatus: Authentication['transStatus'],
  { policy, afterChallenge }: JudgedUnder,
): Judgement => {
  const { eci, authenticationValue, dsTransId, messageVersion } = verdict
  // Without the proof the acquirer books an unauthenticated charge, and the merchant is liable for fraud.
  if (eci === null || authenticationValue === null || dsTransId === null || messageVersion === null)
    return refused(verdict, 'the proof is incomplete', UNCOUNTED)
  if (NO_LIABILITY_SHIFT.includes(eci)) return refused(verdict, 'no liability shift (ECI)', UNCOUNTED)
  const authentication = { transStatus, eci, authenticationValue, dsTransId, messageVersion }
  const clearance: Clearance = { by: 'authentication', authentication, ...(afterChallenge ? { challenged: true } : {}) }
  return isClearedUnder(clearance, policy)
    ? { judged: 'cleared', clearance }
    : refused(verdict, 'without the challenge that was required', UNCOUNTED)
}

/** A challenge that the card holder left, or whose time ran out, does not count against the card. */
const notAuthenticated = ({ challengeCancel }: Verdict, { afterChallenge }: JudgedUnder): Counts => ({
  counted: challengeCancel === null,
  blocksCard: false,
  // Only after a challenge, which the shopper has seen: otherwise the answer would tell something about the card.
  ...(challengeCancel !== null && afterChallenge ? { unfinished: true } : {}),
})

/** Whether this verdict allows the charge at this merchant. */
export const judge = (verdict: Verdict, under: JudgedUnder): Judgement => {
  switch (verdict.transStatus) {
    case 'Y':
      return vouchedFor(verdict, 'Y', under)
    case 'A':
      return under.policy.requireFullAuthentication
        ? refused(verdict, 'only attempted', UNCOUNTED)
        : vouchedFor(verdict, 'A', under)
    case 'N':
      return refused(verdict, 'not authenticated', notAuthenticated(verdict, under))
    case 'R':
      return refused(verdict, 'rejected by the issuer', { counted: true, blocksCard: true })
    case 'U':
      return refused(verdict, 'could not be performed', UNCOUNTED)
    case 'I':
      return refused(verdict, 'informational only', UNCOUNTED)
    case 'D':
      return refused(verdict, 'decoupled', UNCOUNTED)
  }
}

/** A card outside 3-D Secure is charged only if the merchant has accepted the risk. */
export const judgeUnenrolled = ({ allowExemption, requireChallenge }: PolicyNow): Judgement =>
  allowExemption && !requireChallenge
    ? { judged: 'cleared', clearance: { by: 'exemption', reason: 'not_enrolled' } }
    : { judged: 'refused', reason: 'not enrolled', ...UNCOUNTED }

/** What the issuer gets to know of the shopper's browser. */
export interface BrowserFacts {
  readonly acceptHeader: string
  readonly userAgent: string
  readonly ip: string
  readonly language: string
  /** Null: no script could read it, because the bridge was not reached. */
  readonly screen: {
    readonly javaEnabled: boolean
    readonly colorDepth: number
    readonly height: number
    readonly width: number
    /** Minutes behind UTC: Japan is -540. */
    readonly timeZoneOffset: number
  } | null
}
