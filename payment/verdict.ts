/** 3-D Secure verdict: which transStatus clears a card for charging, and which refuses it. */

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
  | {
      readonly by: 'authentication'
      readonly authentication: Authentication
      /** The card holder passed a challenge of the issuer. */
      readonly challenged?: true
    }
  | { readonly by: 'exemption'; readonly reason: ExemptionReason }

/** What a merchant has decided about the cards it takes. */
export interface AuthenticationPolicy {
  /** Whether a card outside 3-D Secure may be charged; its merchant then bears the chargebacks. */
  readonly allowExemption: boolean
  /** Whether a mere attempt (`A`), for which the issuer did not ask the card holder, is refused. */
  readonly requireFullAuthentication: boolean
}

/** The merchant's policy at this moment. */
export interface PolicyNow extends AuthenticationPolicy {
  /** Cards are being tried out: the issuer is asked for a challenge, and only a fully authenticated card holder may pay. */
  readonly requireChallenge: boolean
}

/**
 * Whether a clearance still lets a card be charged, should a challenge be required by now. An issuer that answers `Y` vouches for
 * the card holder, with a challenge or without: to refuse it would refuse honest shoppers of every issuer that never challenges.
 */
export const isClearedUnder = (
  clearance: Clearance,
  { requireChallenge }: Pick<PolicyNow, 'requireChallenge'>,
): boolean => !requireChallenge || (clearance.by === 'authentication' && clearance.authentication.transStatus === 'Y')

export const TRANS_STATUSES = ['Y', 'A', 'N', 'R', 'U', 'I', 'D'] as const
export type TransStatus = (typeof TRANS_STATUSES)[number]

/** The 3-D Secure server's final result of one authentication, read from it and from nobody else. */
export interface Verdict {
  readonly transStatus: TransStatus
  readonly eci: string | null
  readonly authenticationValue: string | null
  readonly dsTransId: string | null
  readonly messageVersion: string | null
  /** The issuer's reason, for the log of the shop; the shopper is told none. */
  readonly reason: string | null
  /** How a challenge ended without an answer: the card holder's own cancel, or a timeout. */
  readonly challengeCancel: string | null
}

export type Judgement =
  | { readonly judged: 'cleared'; readonly clearance: Clearance }
  | {
      readonly judged: 'refused'
      readonly reason: string
      /** Whether it counts towards the declines after which a link is closed. */
      readonly counted: boolean
      /** The issuer wants this card not to be tried again. */
      readonly blocksCard: boolean
      /** The challenge was left or ran out of time: nobody has judged the card. */
      readonly unfinished?: true
    }

type Counts = Pick<Extract<Judgement, { judged: 'refused' }>, 'counted' | 'blocksCard' | 'unfinished'>

const refused = (verdict: Verdict, why: string, counts: Counts): Judgement => ({
  judged: 'refused',
  reason: verdict.reason === null ? why : `${why} (${verdict.reason})`,
  ...counts,
})

/** What issuers send when they vouch for nothing: Mastercard's none and data-only, everybody else's none. */
const WITHOUT_LIABILITY: readonly string[] = ['00', '04', '07']

interface JudgedUnder {
  readonly policy: PolicyNow
  /** Whether the issuer asked the card holder before it answered. */
  readonly afterChallenge: boolean
}

const UNCOUNTED = { counted: false, blocksCard: false }

const vouchedFor = (
  verdict: Verdict,
  transStatus: Authentication['transStatus'],
  { policy, afterChallenge }: JudgedUnder,
): Judgement => {
  const { eci, authenticationValue, dsTransId, messageVersion } = verdict
  // Without its proof the acquirer would book an unauthenticated charge, and the merchant would bear the fraud.
  if (eci === null || authenticationValue === null || dsTransId === null || messageVersion === null)
    return refused(verdict, 'the proof is incomplete', UNCOUNTED)
  if (WITHOUT_LIABILITY.includes(eci)) return refused(verdict, 'the proof is none', UNCOUNTED)
  const authentication = { transStatus, eci, authenticationValue, dsTransId, messageVersion }
  const clearance: Clearance = { by: 'authentication', authentication, ...(afterChallenge ? { challenged: true } : {}) }
  // An issuer that only attempted it has asked nobody.
  return isClearedUnder(clearance, policy)
    ? { judged: 'cleared', clearance }
    : refused(verdict, 'without the challenge that was required', UNCOUNTED)
}

/** A challenge that the card holder gave up, or that ran out of time, says nothing against the card. */
const notAuthenticated = ({ challengeCancel }: Verdict, { afterChallenge }: JudgedUnder): Counts => ({
  counted: challengeCancel === null,
  blocksCard: false,
  // Only of a challenge, which the shopper has seen: who is told so must learn nothing of the card by it.
  ...(challengeCancel !== null && afterChallenge ? { unfinished: true } : {}),
})

/** Whether this verdict lets the card be charged at this merchant. */
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

/** A card outside 3-D Secure is charged only where its merchant has said that it bears that risk. */
export const judgeUnenrolled = ({ allowExemption, requireChallenge }: PolicyNow): Judgement =>
  allowExemption && !requireChallenge
    ? { judged: 'cleared', clearance: { by: 'exemption', reason: 'not_enrolled' } }
    : { judged: 'refused', reason: 'not enrolled', ...UNCOUNTED }

/** What an issuer is told about the shopper's browser. */
export interface BrowserFacts {
  readonly acceptHeader: string
  readonly userAgent: string
  readonly ip: string
  readonly language: string
  /** Null when no script could look: the bridge was not reached. */
  readonly screen: {
    readonly javaEnabled: boolean
    readonly colorDepth: number
    readonly height: number
    readonly width: number
    /** Minutes behind UTC: Japan is -540. */
    readonly timeZoneOffset: number
  } | null
}
