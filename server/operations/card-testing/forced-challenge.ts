/** Forced challenge: begins, and is prolonged, when issuers and the acquirer refuse too many cards at a shop. */
import type { Attempt } from '#payment/attempt.ts'
import { shopOutcome } from '#payment/card-testing.ts'
import type { Checkout } from '#payment/checkout.ts'
import {
  forcedChallengeEnd,
  isFarAboveUsual,
  isForcedChallenge,
  isMostlyUnpaid,
  mayBeFarAboveUsual,
  prolongsForcedChallenge,
  usualShare,
} from '#payment/shop-limits.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Sql } from '../../store/engine/database.ts'
import { moveForcedChallenge, readShopEnds, type EndsWindow } from '../../store/checkout/shop-velocity-rows.ts'

/** A forced challenge that has just begun, and the order whose refusal began it. */
export interface ForcedChallenge {
  readonly orderCode: string
  readonly until: number
}

/** Refused by an issuer or the acquirer. Our own refusals do not count: they would prolong a forced challenge for ever. */
const isRefusedOutside = (attempt: Attempt): boolean => ['refused', 'declined'].includes(shopOutcome(attempt) ?? '')

/**
 * After refusals of issuers or the acquirer: begins or prolongs the forced challenge of their shop. Returns one that has begun,
 * for the merchant's alert and the alarm; undefined: none has begun.
 */
export const forceChallengeIfDue = async (
  { cardTestingLimits }: Pick<Dependencies, 'cardTestingLimits'>,
  sql: Sql,
  { merchantId, mode }: Checkout,
  attempts: readonly Attempt[],
  now: number,
): Promise<ForcedChallenge | undefined> => {
  const ended = attempts.find(isRefusedOutside)
  if (ended === undefined) return undefined
  const shop = { merchantId, mode }
  const { card, shop: limits } = cardTestingLimits[mode]
  const read = (window: EndsWindow) => readShopEnds(sql, shop, { window, countsCards: card !== null }, now)
  const { ends, history, until: from } = await read('ten minutes')
  const share = usualShare(history)
  const isOn = isForcedChallenge(from, now)
  const isDue = isOn
    ? ended.state.name === 'refused' && prolongsForcedChallenge(ends, share)
    : isMostlyUnpaid(ends, limits) ||
      (mayBeFarAboveUsual(ends, share, limits) && isFarAboveUsual((await read('hour')).ends, share, limits))
  const until = isDue ? forcedChallengeEnd(from, now) : null
  if (until === null || !(await moveForcedChallenge(sql, shop, { from, until })) || isOn) return undefined
  return { orderCode: ended.orderCode, until }
}
