/** Velocity limits on card testing: checks and counts a start, and decides whether a challenge is required now. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Attempt } from '#payment/attempt.ts'
import { isCardAllowed } from '#payment/card-testing.ts'
import type { CardNumber } from '#payment/card-number.ts'
import { decideNetwork } from '#payment/client-network-limits.ts'
import { isForcedChallenge } from '#payment/shop-limits.ts'
import type { PolicyNow } from '#payment/authentication-verdict.ts'
import type { AccountRef } from '#payment/references.ts'
import type { Log } from '../../log.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  cardVelocityWrite,
  earlierAttempts,
  forgetCardVelocityWrite,
  forgetNewestCardVelocity,
} from '../../store/checkout/card-testing.ts'
import type { Sql } from '../../store/engine/database.ts'
import type { Merchant } from '../../store/merchant/merchants.ts'
import type { Transitions } from '../../store/checkout/transitions.ts'

/** Null: cards are not counted in this mode, so none is hashed; or the card has been wiped meanwhile. */
const fingerprintOf = (
  { cardTestingLimits, cardFingerprint }: Pick<Dependencies, 'cardTestingLimits' | 'cardFingerprint'>,
  mode: MerchantMode,
  number: CardNumber,
): string | null => (cardTestingLimits[mode].card === null || number.isWiped ? null : cardFingerprint(number))

/** Tells this card from other cards of the shop; null: cards are not counted in this mode. */
export const cardMarkOf = (
  { cardTestingLimits, cardMark }: Pick<Dependencies, 'cardTestingLimits' | 'cardMark'>,
  shop: AccountRef,
  number: CardNumber,
): string | null => (cardTestingLimits[shop.mode].card === null || number.isWiped ? null : cardMark(number, shop))

/** Calls a person once an hour for each cause. Inside a transaction that then fails it may raise one alarm too many. */
const alarmOnce = (
  { shopVelocity, log }: Pick<Dependencies, 'shopVelocity' | 'log'>,
  cause: string,
  facts: Parameters<Log['alarm']>[1],
): void => {
  if (shopVelocity.isNewAlarm(cause)) log.alarm('cards are being tried out', facts)
}

export interface StartingClient extends AccountRef {
  readonly network: string
  readonly number: CardNumber
}

/** A start within the limits: what is stored with its attempt so that it counts, and whether it needs a challenge. */
export interface CountedStart extends Pick<Transitions, 'cardVelocity'> {
  readonly challengeDemanded: boolean
}

/**
 * Refuses a start past the limits of its card, or too soon after others of its network at this shop; says how any other start
 * counts. Runs in the transaction that opens the attempt, so that every start that is counted is made, and none is uncounted.
 */
export const countStart = async (
  deps: Dependencies,
  sql: Sql,
  { mode, merchantId, network, number }: StartingClient,
  now: number,
): Promise<Refusal | CountedStart> => {
  const limits = deps.cardTestingLimits[mode]
  const fingerprint = fingerprintOf(deps, mode, number)
  // Always the address before the card: in another order two starts could wait for each other.
  await sql.lockNames(`network ${mode} ${network}`, ...(fingerprint === null ? [] : [`card ${fingerprint}`]))
  const earlier = await earlierAttempts(sql, { network, mode, fingerprint }, now)
  const isServerPastLimit = await deps.shopVelocity.isServerPastLimit(sql, mode, limits, now)
  if (isServerPastLimit)
    alarmOnce(deps, `server ${mode}`, { why: 'more cards than usual ended unpaid, counted over all shops' })
  const decided = decideNetwork(earlier, { network, merchantId, isServerPastLimit }, limits.network, now)
  if (decided.decision === 'wait') {
    deps.log.limited('address', { address: network })
    return refuse('too_many_attempts', { retryAfterSeconds: Math.ceil(decided.retryAfterMs / 1000) })
  }
  if (decided.alarm !== null) alarmOnce(deps, `network ${mode} ${network}`, { address: network, why: decided.alarm })
  const { challengeDemanded } = decided
  if (fingerprint === null) return { challengeDemanded }
  if (!isCardAllowed(earlier.ofCard, limits.card, now)) {
    deps.log.limited('card', {})
    return refuse('card_declined')
  }
  return { challengeDemanded, cardVelocity: cardVelocityWrite(fingerprint, deps.random.id(), now) }
}

/**
 * Whether one more card may be tried at this shop without a challenge: at the issuer or, outside 3-D Secure, at the acquirer. If
 * so it is counted. Runs in the transaction that stores that they are asked.
 */
export const countAskedCard = async (deps: Dependencies, sql: Sql, attempt: Attempt, now: number): Promise<boolean> => {
  const { merchantId, mode } = attempt
  if (await deps.shopVelocity.take(sql, attempt, deps.cardTestingLimits[mode], now)) return true
  const why = 'more cards than usual ended unpaid at one shop: a challenge is demanded there'
  alarmOnce(deps, `shop ${mode} ${merchantId}`, { merchant: merchantId, why })
  return false
}

/** Nobody outside answered: an outage must not count against the card. */
export const uncountUnansweredAttempt = async (
  deps: Dependencies,
  mode: MerchantMode,
  number: CardNumber,
): Promise<void> => {
  const fingerprint = fingerprintOf(deps, mode, number)
  if (fingerprint !== null) await forgetNewestCardVelocity(deps.database, fingerprint)
}

/** The write that sets the card's count back to zero after a payment. Made while the card is held: later its number is gone. */
export const velocityCreditFor = (
  deps: Dependencies,
  mode: MerchantMode,
  number: CardNumber,
): Pick<Transitions, 'cardVelocity'> => {
  const fingerprint = fingerprintOf(deps, mode, number)
  return fingerprint === null ? {} : { cardVelocity: forgetCardVelocityWrite(fingerprint) }
}

/** The merchant's policy for this attempt at this moment. */
export const policyNow = (
  { settings, forcedChallengeUntil }: Merchant,
  { mode, challengeDemanded }: Pick<Attempt, 'mode' | 'challengeDemanded'>,
  now: number,
): PolicyNow => ({
  ...settings,
  requireChallenge: challengeDemanded || isForcedChallenge(forcedChallengeUntil[mode], now),
})
