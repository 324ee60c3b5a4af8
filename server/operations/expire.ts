/** Expire: closes a checkout whose deadline has passed. */
import { decideExpiry } from '#payment/close-checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../dependencies.ts'
import { lockIfFree } from '../store/checkout/transitions.ts'
import { withLockedCheckout } from './locked-checkout.ts'

/**
 * Stores that a checkout's deadline has passed. A payment that was claimed in time may still finish. While the clock is not
 * confirmed nothing expires: a checkout that a wrong clock has closed would stay closed.
 */
export const expire = async (deps: Dependencies, ref: CheckoutRef): Promise<void> => {
  if (!deps.clockCheck.isConfirmed()) return
  await withLockedCheckout(
    deps,
    ref,
    async ({ locked, now, save }) => {
      const closing = decideExpiry(locked, now)
      if (closing !== null) await save(closing, { actor: 'worker', why: 'deadline' })
    },
    lockIfFree,
  )
}
