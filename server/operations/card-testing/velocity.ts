/** Card testing: limits a start, counts what is asked about a card, and says whether a challenge is required now. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/access.ts'
import type { Attempt } from '#payment/attempt.ts'
import { isCardAllowed } from '#payment/card-testing.ts'
import type { CardNumber } from '#payment/card-number.ts'
import { decideNetwork } from '#payment/network-limits.ts'
import { isForcedChallenge } from '#payment/shop-limits.ts'
import type { PolicyNow } from '#payment/verdict.ts'
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
import type { ShopRef } from '../../store/checkout/shop-velocity-rows.ts'
import type { Transitions } from '../../store/checkout/transitions.ts'

/** Null where cards are not counted, so that none is even hashed, and where the card was given up meanwhile. */
const fingerprintOf = (
  { cardTestingLimits, cardFingerprint }: Pick<Dependencies, 'cardTestingLimits' | 'cardFingerprint'>,
  mode: MerchantMode,
  number: CardNumber,
): string | null => (cardTestingLimits[mode].card === null || number.isWiped ? null : cardFingerprint(number))

/** What tells the card from others at this shop; null where cards are not counted. */
export const cardMarkOf = (
  { cardTestingLimits, cardMark }: Pick<Dependencies, 'cardTestingLimits' | 'cardMark'>,
  shop: ShopRef,
  number: CardNumber,
): string | null => (cardTestingLimits[shop.mode].card === null || number.isWiped ? null : cardMark(number, shop))

/** Calls a person once an hour for each cause. Not from inside a transaction that may yet fail: that costs an alarm too many. */
const alarmOnce = (
  { askedCards, log }: Pick<Dependencies, 'askedCards' | 'log'>,
  cause: string,
  facts: Parameters<Log['alarm']>[1],
): void => {
  if (askedCards.isNewAlarm(cause)) log.alarm('cards are being tried out', facts)
}

export interface StartingClient extends ShopRef {
  readonly network: string
  readonly number: CardNumber
}

/** A start that is let through: what is stored with its attempt so that it counts, and whether it must be challenged. */
export interface CountedStart extends Pick<Transitions, 'cardVelocity'> {
  readonly challengeDemanded: boolean
}

/**
 * Refuses a start past the limits of its card, or so soon after others of its network at this shop; of any other, says how it
 * counts. For the transaction that opens the attempt, under the lock of its checkout: what was counted is asked, and what is
 * asked was counted.
 */
export const countStart = async (
  deps: Dependencies,
  sql: Sql,
  { mode, merchantId, network, number }: StartingClient,
  now: number,
): Promise<Refusal | CountedStart> => {
  const limits = deps.cardTestingLimits[mode]
  const fingerprint = fingerprintOf(deps, mode, number)
  // Address before card, as everywhere: two starts must not wait for each other.
  await sql.lockNames(`network ${mode} ${network}`, ...(fingerprint === null ? [] : [`card ${fingerprint}`]))
  const earlier = await earlierAttempts(sql, { network, mode, fingerprint }, now)
  const isServerPastLimit = await deps.askedCards.isServerPastLimit(sql, mode, limits, now)
  if (isServerPastLimit)
    alarmOnce(deps, `server ${mode}`, { why: 'more cards than usual are not paid with at all shops together' })
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
 * Whether the issuer, or of a card outside 3-D Secure the acquirer, may be asked about one more card of this shop without a
 * challenge; if so it is counted. For the transaction that writes down that it is asked.
 */
export const countAskedCard = async (
  deps: Dependencies,
  sql: Sql,
  { merchantId, mode }: ShopRef,
  now: number,
): Promise<boolean> => {
  if (await deps.askedCards.take(sql, { merchantId, mode }, deps.cardTestingLimits[mode], now)) return true
  const why = 'more cards than usual are not paid with at one shop: a challenge is demanded there'
  alarmOnce(deps, `shop ${mode} ${merchantId}`, { merchant: merchantId, why })
  return false
}

/** Nobody outside answered: the card holder must not pay for an outage with one of the card's questions. */
export const uncountUnansweredAttempt = async (
  deps: Dependencies,
  mode: MerchantMode,
  number: CardNumber,
): Promise<void> => {
  const fingerprint = fingerprintOf(deps, mode, number)
  if (fingerprint !== null) await forgetNewestCardVelocity(deps.database, fingerprint)
}

/** What a payment gives back, worked out while the card is still held: afterwards nobody knows its number. */
export const velocityCreditFor = (
  deps: Dependencies,
  mode: MerchantMode,
  number: CardNumber,
): Pick<Transitions, 'cardVelocity'> => {
  const fingerprint = fingerprintOf(deps, mode, number)
  return fingerprint === null ? {} : { cardVelocity: forgetCardVelocityWrite(fingerprint) }
}

/** What the merchant's policy is now, for this attempt. */
export const policyNow = (
  { settings, forcedChallengeUntil }: Merchant,
  { mode, challengeDemanded }: Pick<Attempt, 'mode' | 'challengeDemanded'>,
  now: number,
): PolicyNow => ({
  ...settings,
  requireChallenge: challengeDemanded || isForcedChallenge(forcedChallengeUntil[mode], now),
})
