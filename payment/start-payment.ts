/** Start of a payment: who may start, start limit, blocked cards, superseded attempts. */
import type { MerchantMode } from '#contract/access.ts'
import { CONSENT_VERSION } from '#contract/consent.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import { isOnThisMachine } from '#contract/loopback.ts'
import { transitionAttempt, type Attempt } from './attempt.ts'
import type { CardFace, CardNumber } from './card-number.ts'
import {
  isPaymentPending,
  stateAsRead,
  type Checkout,
  type CheckoutSnapshot,
  type CheckoutWithAttempts,
} from './checkout.ts'

export const STARTS_MAX = 20

/** A shopper may start while the checkout is open and no money is moving. Checked before the lock as well: that is cheap. */
export const refuseWithoutLock = (snapshot: CheckoutSnapshot, now: Instant): Refusal | undefined => {
  const { status } = stateAsRead(snapshot, now)
  if (status !== 'open') return refuse('checkout_closed', { status })
  if (isPaymentPending(snapshot)) return refuse('payment_in_progress')
  return undefined
}

/** Which numbers a shop takes in one mode: those of real cards, or the published test cards alone. */
export type TakenCards = 'real' | 'test'

/**
 * A checkout takes test cards alone in test mode, and in live mode where its acquirer is on this machine: that is a double, and
 * no real card number may reach one.
 */
export const takenCards = (mode: MerchantMode, apiBase: string | null): TakenCards =>
  mode === 'test' || isOnThisMachine(apiBase) ? 'test' : 'real'

/** Why a card is not even tried: a wrong brand, a test card where real ones are charged, or a real card where none may be. */
export const refuseCard = (
  { face, isTest }: CardNumber,
  { acceptedCardBrands }: Pick<Checkout, 'acceptedCardBrands'>,
  taken: TakenCards,
): Refusal | undefined => {
  if (taken === 'test' && !isTest) return refuse('not_a_test_card')
  return acceptedCardBrands.includes(face.brand) && isTest === (taken === 'test') ? undefined : refuse('card_declined')
}

/** A card that its issuer has rejected on this checkout is not tried again. We know it by brand and last four digits alone. */
const isBlocked = (card: CardFace, attempts: readonly Attempt[]): boolean =>
  attempts.some(
    ({ state, card: tried }) =>
      state.name === 'refused' && state.blocksCard && tried?.brand === card.brand && tried.lastFour === card.lastFour,
  )

/** A new start ends the attempts that wait, but none in a challenge: its card holder may be about to answer. */
const isSuperseded = ({ state }: Attempt): boolean =>
  state.name === 'started' || state.name === 'authenticating' || state.name === 'authenticated'

export interface StartCommand {
  readonly orderCode: string
  readonly card: CardFace
  readonly clientNetwork: string
  readonly cardMark: string | null
  readonly now: Instant
}

export type StartDecision =
  | { readonly decision: 'open'; readonly attempt: Attempt; readonly superseded: readonly Attempt[] }
  | Refusal

/** Opens an attempt with this card, and abandons earlier ones that wait. */
export const decideStart = (
  snapshot: CheckoutWithAttempts,
  { orderCode, card, clientNetwork, cardMark, now }: StartCommand,
): StartDecision => {
  const { checkout, attempts } = snapshot
  const refusal =
    refuseWithoutLock(snapshot, now) ??
    (attempts.length >= STARTS_MAX ? refuse('too_many_starts') : undefined) ??
    (isBlocked(card, attempts) ? refuse('card_declined') : undefined)
  if (refusal !== undefined) return refusal
  return {
    decision: 'open',
    attempt: {
      merchantId: checkout.merchantId,
      checkoutId: checkout.id,
      orderCode,
      mode: checkout.mode,
      amountYen: checkout.amountYen,
      card,
      startedAt: now,
      consentVersion: CONSENT_VERSION,
      clientNetwork,
      cardMark,
      // Set later by the limits on card testing, under the lock of the network.
      challengeDemanded: false,
      reference: null,
      state: { name: 'started', clearance: null },
    },
    superseded: attempts
      .filter(isSuperseded)
      .map((attempt) => transitionAttempt(attempt, { name: 'abandoned', why: 'superseded' })),
  }
}
