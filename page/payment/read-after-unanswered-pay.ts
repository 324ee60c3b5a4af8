/** Checkout reader whose answer stays true: no late pay request can change it afterwards. */
import { useMemo } from 'react'
import { CallFailed, isUnanswered, type Api } from '../api.ts'
import { useApi } from '../page-context.ts'
import { usePaymentApi, type PaymentApi } from '../payment-api.ts'
import type { PageCheckout } from '../parse-answers.ts'

export interface CheckoutReader {
  read(): Promise<PageCheckout>
  /** The pay call of this order got no answer and may still reach the server. */
  notePayUnanswered(orderCode: string): void
}

const CONFLICT = 409

const isRefused = (error: unknown): boolean =>
  error instanceof CallFailed &&
  !isUnanswered(error) &&
  (error.failure.kind === 'final' || error.failure.code === CONFLICT)

/**
 * After an unanswered pay call, its order is given up on the server before the checkout is read. Without that, the page
 * could read an open checkout and say that nothing was charged, and the pay request could arrive and be charged a moment
 * later. An order that is being charged already is not given up; the checkout then reads as payment pending.
 */
export const createCheckoutReader = (
  { reportChallengeError, readCheckout }: Pick<PaymentApi, 'reportChallengeError'> & Pick<Api, 'readCheckout'>,
  checkoutId: string,
): CheckoutReader => {
  let unansweredOrder: string | null = null
  return {
    notePayUnanswered: (orderCode) => {
      unansweredOrder = orderCode
    },
    read: async () => {
      if (unansweredOrder !== null) {
        await reportChallengeError(unansweredOrder).catch((error: unknown) => {
          // Refused: the order has ended or is being charged. After any other failure a reading might not stay true.
          if (!isRefused(error)) throw error
        })
        unansweredOrder = null
      }
      return readCheckout(checkoutId)
    },
  }
}

export const useCheckoutReader = (checkoutId: string): CheckoutReader => {
  const { readCheckout } = useApi()
  const { reportChallengeError } = usePaymentApi()
  return useMemo(
    () => createCheckoutReader({ reportChallengeError, readCheckout }, checkoutId),
    [reportChallengeError, readCheckout, checkoutId],
  )
}
