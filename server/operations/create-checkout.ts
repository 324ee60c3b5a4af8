import { domainToUnicode } from 'node:url'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { CreateCheckoutBody, MerchantMode } from '#contract/merchant.ts'
import { newCheckout } from '#payment/new-checkout.ts'
import type { Parts } from '../parts.ts'
import { createCheckout as insertCheckout } from '../store/transitions.ts'
import type { CheckoutReading } from './read-checkout.ts'

/** Create: opens a checkout of this merchant, or refuses by the name of the field that is wrong. */
export const createCheckout = async (
  { clock, random, database }: Parts,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: MerchantMode },
  body: CreateCheckoutBody,
): Promise<CheckoutReading | Refusal> => {
  const now = clock.now()
  const checkout = newCheckout(body, { merchantId, id: random.id(), mode, now, unicodeHost: domainToUnicode })
  if (isRefusal(checkout)) return checkout
  await insertCheckout(database, checkout, { actor: 'merchant', why: 'create', now })
  return { checkout, inFlight: null, now }
}
