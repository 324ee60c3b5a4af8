/** References: every lookup names the merchant, so nobody reads another merchant's payments by guessing an id. */
import type { MerchantMode } from '#contract/access.ts'

/** The account of a merchant at its acquirer: one for each mode. */
export interface AccountRef {
  readonly merchantId: string
  readonly mode: MerchantMode
}

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
