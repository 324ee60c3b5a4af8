/** Create checkout: opens a checkout of a merchant, once for each Idempotency-Key. */
import { domainToUnicode } from 'node:url'
import { isRefusal, type Refusal } from '#contract/errors.ts'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import type { CheckoutReading } from '#payment/checkout.ts'
import { newCheckout, refuseShownTexts, type CheckoutSettings } from '#payment/new-checkout.ts'
import type { Dependencies } from '../dependencies.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import { idempotencyKeyWrite, type IdempotentRequest } from '../store/checkout/idempotency-keys.ts'
import { createCheckout as insertCheckout } from '../store/checkout/transitions.ts'
import { createOnce } from './idempotent-creation.ts'
import { readAfterInquiry, type ReadingWithRefunds } from './read-checkout.ts'

/** Whose checkout is opened, with the shop's settings for new checkouts. */
export interface Seller extends KeyScope {
  readonly settings: CheckoutSettings
  /** The acquirer of its account in this mode; null: the sandbox. */
  readonly acquirer: AcquirerKind | null
}

/** Opens a checkout of this merchant, or refuses and names the field that is wrong. */
export const createCheckout = async (
  { clock, random, database }: Dependencies,
  seller: Seller,
  body: CreateCheckoutBody,
  request?: IdempotentRequest,
): Promise<CheckoutReading | Refusal> => {
  const now = clock.now()
  const checkout =
    refuseShownTexts(body) ??
    newCheckout(body, { ...seller, id: random.id(), linkId: null, now, unicodeHost: domainToUnicode })
  if (isRefusal(checkout)) return checkout
  const key = request === undefined ? [] : idempotencyKeyWrite(seller, request, checkout.id, now)
  await insertCheckout(database, checkout, key)
  return { checkout, inFlight: null, now }
}

export type CreatedOnce =
  | { readonly reading: CheckoutReading; readonly isReplay: false }
  | { readonly reading: ReadingWithRefunds; readonly isReplay: true }

/** Opens a checkout, with a key once for each; sent again, it is read as it is now. */
export const createCheckoutOnce = async (
  deps: Dependencies,
  seller: Seller,
  body: CreateCheckoutBody,
  request: IdempotentRequest | undefined,
): Promise<CreatedOnce | Refusal> => {
  const { merchantId } = seller
  const once = await createOnce(deps, seller, request, {
    create: () => createCheckout(deps, seller, body, request),
    find: (checkoutId) => readAfterInquiry(deps, { merchantId, checkoutId }),
  })
  if (isRefusal(once)) return once
  return 'created' in once ? { reading: once.created, isReplay: false } : { reading: once.found, isReplay: true }
}
