/** Decline limit: the fifth decline closes a checkout as failed, so that nobody tries card after card on one link. */
import type { Instant } from '#contract/jst.ts'
import type { Attempt, AttemptState } from './attempt.ts'
import { transitionCheckout, type Checkout } from './checkout.ts'

const COUNTED_DECLINES_MAX = 5

/** A decline of the acquirer, or a refusal of the issuer that counts as one. */
const isCountedDecline = (state: AttemptState): boolean =>
  state.name === 'declined' || (state.name === 'refused' && state.counted)

/** The checkout after one more counted decline. `attempts`: those before it. */
export const afterCountedDecline = (checkout: Checkout, attempts: readonly Attempt[], now: Instant): Checkout =>
  attempts.filter(({ state }) => isCountedDecline(state)).length + 1 >= COUNTED_DECLINES_MAX
    ? transitionCheckout(checkout, { status: 'failed', closedAt: now })
    : checkout
