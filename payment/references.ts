/** References: every lookup names the merchant, so nobody reads another merchant's payments by guessing an id. */
import type { MerchantMode } from '#contract/access.ts'

/** One mode of a merchant: it has its own records, API keys, card limits and account at an acquirer. */
export interface AccountRef {
  readonly merchantId: string
  readonly mode: MerchantMode
}

/** As the key of a map or a set. */
export const scopeName = ({ merchantId, mode }: AccountRef): string => `${mode} ${merchantId}`

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
