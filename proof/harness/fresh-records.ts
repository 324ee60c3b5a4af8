/** Fresh records: an open checkout of the merchant `tea` with a new id, since a database holds many. */
import type { Attempt, AttemptState } from '#payment/attempt.ts'
import type { Checkout } from '#payment/checkout.ts'
import { ATTEMPT_STATES, attemptIn, checkoutIn, UNCLEARED } from '#payment/testing/records.ts'
import { systemRandom } from '../../server/dependencies.ts'

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

/** Every attempt state that must be read from the database as it was saved. */
export const ALL_ATTEMPT_STATES: readonly AttemptState[] = [UNCLEARED, ...Object.values(ATTEMPT_STATES)]
