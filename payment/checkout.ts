import type { CardBrand } from '#contract/brands.ts'
import type { CheckoutStatus } from '#contract/checkout.ts'
import { refuse, type Refusal } from '#contract/errors.ts'
import type { Instant } from '#contract/jst.ts'
import type { WireLocale } from '#contract/locale.ts'
import type { MerchantMode } from '#contract/merchant.ts'
import { isInFlight, type Attempt } from './attempt.ts'
import type { CardFace } from './card-number.ts'

export interface Payment {
  readonly orderCode: string
  readonly transactionId: string
  readonly paidAt: Instant
  readonly card: CardFace
}

export type CheckoutState =
  | { readonly status: 'open' }
  | { readonly status: 'paid'; readonly payment: Payment }
  | { readonly status: 'refunded'; readonly payment: Payment; readonly refundedAt: Instant }
  | { readonly status: 'failed'; readonly closedAt: Instant }
  | { readonly status: 'cancelled'; readonly closedAt: Instant }
  | { readonly status: 'expired'; readonly closedAt: Instant }

export interface Checkout {
  readonly merchantId: string
  readonly id: string
  readonly mode: MerchantMode
  readonly amountYen: number
  readonly subject: string | null
  readonly remarks: string | null
  readonly validUntil: Instant
  readonly acceptedCardBrands: readonly CardBrand[]
  readonly cancelUrl: string | null
  readonly redirectUrl: string | null
  readonly locale: WireLocale | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Instant
  readonly state: CheckoutState
}

/** A checkout with the one attempt whose money may be moving. */
export interface CheckoutInPlay {
  readonly checkout: Checkout
  readonly inFlight: Attempt | null
}

const mayBecome: Record<CheckoutStatus, readonly CheckoutStatus[]> = {
  open: ['paid', 'failed', 'cancelled', 'expired'],
  paid: ['refunded'],
  refunded: [],
  failed: [],
  cancelled: [],
  expired: [],
}

export const moveCheckout = (checkout: Checkout, next: CheckoutState): Checkout => {
  if (!mayBecome[checkout.state.status].includes(next.status)) {
    throw new Error(`a checkout cannot go from ${checkout.state.status} to ${next.status}`)
  }
  return { ...checkout, state: next }
}

/** Past its deadline an open checkout reads as expired at once, unless a payment claimed in time is still finishing. */
export const stateAsRead = ({ checkout, inFlight }: CheckoutInPlay, now: Instant): CheckoutState =>
  checkout.state.status === 'open' && inFlight === null && now > checkout.validUntil
    ? { status: 'expired', closedAt: checkout.validUntil }
    : checkout.state

export const STARTS_MAX = 20
export const COUNTED_DECLINES_MAX = 5

/** A shopper may start while the checkout is open and no money is moving. */
export const refuseStart = (inPlay: CheckoutInPlay, startsSoFar: number, now: Instant): Refusal | undefined => {
  const { status } = stateAsRead(inPlay, now)
  if (status !== 'open') return refuse('checkout_closed', { status })
  if (inPlay.inFlight !== null) return refuse('payment_in_progress')
  if (startsSoFar >= STARTS_MAX) return refuse('too_many_starts')
  return undefined
}

/** A card that its issuer has rejected on this checkout is not tried again. Its face is all we keep of it. */
export const isBlocked = (card: CardFace, attempts: readonly Attempt[]): boolean =>
  attempts.some(
    ({ state, card: tried }) =>
      state.name === 'refused' && state.blocksCard && tried.brand === card.brand && tried.lastFour === card.lastFour,
  )

export const countedDeclines = (attempts: readonly Attempt[]): number =>
  attempts.filter(({ state }) => state.name === 'declined' || (state.name === 'refused' && state.counted)).length

/** One more decline: a link on which cards are tried out one after another is closed. */
export const afterCountedDecline = (checkout: Checkout, declinesBefore: number, now: Instant): Checkout =>
  declinesBefore + 1 >= COUNTED_DECLINES_MAX ? moveCheckout(checkout, { status: 'failed', closedAt: now }) : checkout

/** Which earlier attempts a new start gives up. Beside a challenge both live: its card holder may be about to answer. */
export const isSupersededByStart = ({ state }: Attempt): boolean =>
  state.name === 'started' || state.name === 'authenticating' || state.name === 'authenticated'

/** Which attempts end with their checkout: all that have not ended and whose money cannot be moving. */
export const isGivenUpByCancel = (attempt: Attempt): boolean =>
  isSupersededByStart(attempt) || attempt.state.name === 'challenged'

export type CancelDecision =
  | { readonly decision: 'cancel'; readonly checkout: Checkout }
  | { readonly decision: 'settled' }
  | { readonly decision: 'wait' }

/** A cancel loses to money that may be moving, and says the same as before when it is repeated. */
export const decideCancel = (inPlay: CheckoutInPlay, now: Instant): CancelDecision => {
  if (stateAsRead(inPlay, now).status !== 'open') return { decision: 'settled' }
  if (inPlay.inFlight !== null && isInFlight(inPlay.inFlight.state)) return { decision: 'wait' }
  return { decision: 'cancel', checkout: moveCheckout(inPlay.checkout, { status: 'cancelled', closedAt: now }) }
}
