import type { Attempt, AttemptState } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import { ATTEMPT_STATES, attemptIn, checkoutIn, UNCLEARED } from '#payment/testing/records.ts'
import { systemRandom } from '../../server/parts.ts'

/** An open checkout of the merchant `tea`, under an id of its own: a store holds many. */
export const freshCheckout = (more: Partial<Checkout> = {}): Checkout =>
  checkoutIn({ status: 'open' }, { merchantId: 'tea', id: systemRandom.id(), ...more })

export const freshAttempt = (checkout: Checkout, state: AttemptState, more: Partial<Attempt> = {}): Attempt =>
  attemptIn(state, {
    merchantId: checkout.merchantId,
    checkoutId: checkout.id,
    orderCode: systemRandom.id(),
    amountYen: checkout.amountYen,
    ...more,
  })

/** All that a store must give back as it was saved. */
export const STORED_STATES: readonly AttemptState[] = [UNCLEARED, ...Object.values(ATTEMPT_STATES)]
