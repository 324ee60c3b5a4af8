/** Expire: closes a checkout whose deadline has passed. */
import { decideExpiry } from '#payment/close-checkout.ts'
import type { CheckoutRef } from '#payment/references.ts'
import type { Dependencies } from '../dependencies.ts'
import { lockIfFree } from '../store/checkout/transitions.ts'
import { withLockedCheckout } from './locked-checkout.ts'

/**
 * Writes down that a checkout's deadline has passed. It read as expired from that moment on; a payment in time may finish.
 * While the clock is not confirmed nothing has expired: a link that a wrong time has closed stays closed.
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
