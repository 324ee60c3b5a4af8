/** References: every lookup carries the merchant, so nobody reads another merchant's payments by guessing an id. */

/** One merchant's checkout. An id alone finds nothing: nobody reads another merchant's payments by guessing. */
export interface CheckoutRef {
  readonly merchantId: string
  readonly checkoutId: string
}

/** One attempt to pay it. */
export interface OrderRef extends CheckoutRef {
  readonly orderCode: string
}

/** Money of it on its way back. */
export interface RefundRef extends CheckoutRef {
  readonly refundId: string
}
