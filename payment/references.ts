/** References: every lookup names the merchant, so nobody reads another merchant's payments by guessing an id. */

export interface CheckoutRef {
  readonly merchantId: string
  readonly checkoutId: string
}

export interface OrderRef extends CheckoutRef {
  readonly orderCode: string
}

export interface RefundRef extends CheckoutRef {
  readonly refundId: string
}
