import { CallFailed, isUnanswered, type Api } from '../api.ts'
import type { PageCheckout } from '../answers.ts'

/** Reads the checkout in such a way that what it says stays true. */
export interface CheckoutReader {
  read(): Promise<PageCheckout>
  /** Nobody answered the payment of this order, which may still be on its way. */
  payUnanswered(orderCode: string): void
}

const CONFLICT = 409

const isRefused = (error: unknown): boolean =>
  error instanceof CallFailed &&
  !isUnanswered(error) &&
  (error.failure.kind === 'final' || error.failure.code === CONFLICT)

/**
 * After a payment that nobody answered, its order is given up before the checkout is read: read alone, an open checkout
 * would let the page say that nothing was charged, and the request could arrive and be charged a moment later. Money that
 * is moving already is not given up, and the reading then says so.
 */
export const createCheckoutReader = (
  { reportChallengeError, readCheckout }: Pick<Api, 'reportChallengeError' | 'readCheckout'>,
  checkoutId: string,
): CheckoutReader => {
  let distrusted: string | null = null
  return {
    payUnanswered: (orderCode) => {
      distrusted = orderCode
    },
    read: async () => {
      if (distrusted !== null) {
        await reportChallengeError(distrusted).catch((error: unknown) => {
          // The order is over, or its money is moving. After any other failure, nothing that is read now need stay true.
          if (!isRefused(error)) throw error
        })
        distrusted = null
      }
      return readCheckout(checkoutId)
    },
  }
}
