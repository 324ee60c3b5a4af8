/** Card testing: refuses a start past the limits, counts what is asked about a card, and brakes a merchant under attack. */
import { refuse, type Refusal } from '#contract/errors.ts'
import type { MerchantMode } from '#contract/merchant.ts'
import type { Attempt } from '#payment/attempt.ts'
import {
  brakeFrom,
  decideAddress,
  isBraked,
  isCardAllowed,
  isUnderAttack,
  questionOutcome,
} from '#payment/card-testing.ts'
import type { CardNumber } from '#payment/card-number.ts'
import type { Checkout } from '#payment/checkout.ts'
import type { PolicyNow } from '#payment/verdict.ts'
import type { Parts } from '../parts.ts'
import {
  brakeMerchant,
  cardQuestionWrite,
  countQuestionsOfMerchant,
  earlierQuestions,
  forgetCardWrite,
  forgetNewestCardQuestion,
  readBrake,
} from '../store/card-testing.ts'
import type { Sql } from '../store/database.ts'
import type { Merchant } from '../store/merchants.ts'
import type { Transitions } from '../store/transitions.ts'

/** Null where cards are not counted, so that none is even hashed, and where the card was given up meanwhile. */
const fingerprintOf = (
  { cardTestingLimits, cardFingerprint }: Pick<Parts, 'cardTestingLimits' | 'cardFingerprint'>,
  mode: MerchantMode,
  number: CardNumber,
): string | null => (cardTestingLimits[mode].card === null || number.isWiped ? null : cardFingerprint(number))

export interface StartingClient {
  readonly mode: MerchantMode
  readonly network: string
  readonly number: CardNumber
}

/**
 * Refuses a start past the limits of its address or card; of any other, says what is to be stored with its attempt so that it
 * counts. For the transaction that opens the attempt, under the lock of its checkout: what was counted is asked, and what is
 * asked was counted.
 */
export const countStart = async (
  parts: Parts,
  sql: Sql,
  { mode, network, number }: StartingClient,
  now: number,
): Promise<Refusal | Pick<Transitions, 'cardQuestions'>> => {
  const limits = parts.cardTestingLimits[mode]
  const fingerprint = fingerprintOf(parts, mode, number)
  // Address before card, as everywhere: two starts must not wait for each other.
  await sql.lockNames(`network ${mode} ${network}`, ...(fingerprint === null ? [] : [`card ${fingerprint}`]))
  const earlier = await earlierQuestions(sql, { network, mode, fingerprint }, now)
  const decision = decideAddress(earlier.ofNetwork, limits.address, now)
  if (!decision.allowed) {
    parts.log.limited('address', { address: network })
    return refuse('too_many_attempts', { retryAfterSeconds: Math.ceil(decision.retryAfterMs / 1000) })
  }
  if (fingerprint === null) return {}
  if (!isCardAllowed(earlier.ofCard, limits.card, now)) {
    parts.log.limited('card', {})
    return refuse('card_declined')
  }
  return { cardQuestions: cardQuestionWrite(fingerprint, parts.random.id(), now) }
}

/** Nobody outside answered: the card holder must not pay for an outage with one of the card's questions. */
export const returnUnansweredQuestion = async (parts: Parts, mode: MerchantMode, number: CardNumber): Promise<void> => {
  const fingerprint = fingerprintOf(parts, mode, number)
  if (fingerprint !== null) await forgetNewestCardQuestion(parts.database, fingerprint)
}

/** What a payment gives back, worked out while the card is still held: afterwards nobody knows its number. */
export const returnedByPayment = (
  parts: Parts,
  mode: MerchantMode,
  number: CardNumber,
): Pick<Transitions, 'cardQuestions'> => {
  const fingerprint = fingerprintOf(parts, mode, number)
  return fingerprint === null ? {} : { cardQuestions: forgetCardWrite(fingerprint) }
}

/** What the merchant's policy is now, while its brake is on or not. */
export const policyNow = ({ settings, brakedUntil }: Merchant, mode: MerchantMode, now: number): PolicyNow => ({
  ...settings,
  requireChallenge: isBraked(brakedUntil[mode], now),
})

const isUnpaid = ({ state }: Attempt): boolean => questionOutcome(state) === 'unpaid'

/** A merchant whose brake has just been put on, and the order whose end showed that cards are being tried out. */
export interface Braked {
  readonly orderCode: string
  readonly until: number
}

/**
 * After attempts that ended without a payment: brakes the merchant where too many did. Answers what the caller tells the
 * merchant, and a person once this is stored; a brake that is only prolonged is not told.
 */
export const brakeIfUnderAttack = async (
  { cardTestingLimits }: Pick<Parts, 'cardTestingLimits'>,
  sql: Sql,
  { merchantId, mode }: Checkout,
  attempts: readonly Attempt[],
  now: number,
): Promise<Braked | undefined> => {
  const ended = attempts.find(isUnpaid)
  if (ended === undefined) return undefined
  const ref = { merchantId, mode }
  if (!isUnderAttack(await countQuestionsOfMerchant(sql, ref, now), cardTestingLimits[mode].merchant)) return undefined
  const from = await readBrake(sql, ref)
  const until = brakeFrom(from, now)
  if (until === null || !(await brakeMerchant(sql, ref, { from, until })) || isBraked(from, now)) return undefined
  return { orderCode: ended.orderCode, until }
}
