/** Create checkout: opens a checkout of a merchant, once for each Idempotency-Key. */
import { domainToUnicode } from 'node:url'
import { isRefusal, refuse, type Refusal } from '#contract/errors.ts'
import type { CreateCheckoutBody } from '#contract/merchant/checkouts.ts'
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import type { CheckoutReading } from '#payment/checkout.ts'
import { newCheckout, type CheckoutSettings } from '#payment/new-checkout.ts'
import type { Dependencies } from '../dependencies.ts'
import type { KeyScope } from '../store/merchant/keys.ts'
import {
  findEarlierRequest,
  idempotencyKeyWrite,
  isKeyConflict,
  type IdempotentRequest,
} from '../store/checkout/idempotency-keys.ts'
import { createCheckout as insertCheckout } from '../store/checkout/transitions.ts'
import { mustExist } from './locked-checkout.ts'
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
  const checkout = newCheckout(body, { ...seller, id: random.id(), now, unicodeHost: domainToUnicode })
  if (isRefusal(checkout)) return checkout
  const key = request === undefined ? [] : idempotencyKeyWrite(seller, request, checkout.id, now)
  await insertCheckout(database, checkout, key)
  return { checkout, inFlight: null, now }
}

/** The checkout that the same request opened before, as it is now; null: the key is free. */
const replay = async (
  deps: Dependencies,
  scope: KeyScope,
  { keyHash, bodyHash }: IdempotentRequest,
): Promise<ReadingWithRefunds | Refusal | null> => {
  const earlier = await findEarlierRequest(deps.database, scope, keyHash, deps.clock.now())
  if (earlier === null) return null
  if (earlier.bodyHash !== bodyHash) return refuse('idempotency_key_reused')
  const reading = await readAfterInquiry(deps, { merchantId: scope.merchantId, checkoutId: earlier.checkoutId })
  return mustExist(reading, 'a checkout with an idempotency key')
}

export type CreatedOnce =
  | { readonly reading: CheckoutReading; readonly isReplay: false }
  | { readonly reading: ReadingWithRefunds; readonly isReplay: true }

/** A key that is more than 24 hours old is freed and used again. Another call may use it first, once. */
const TRIES = 3

/**
 * Stores the checkout first, together with its key: most keys are new, and of two calls at once the database accepts one. A
 * refused body uses no key. A body that was accepted before may be refused now, because its deadline has passed.
 */
export const createCheckoutOnce = async (
  deps: Dependencies,
  seller: Seller,
  body: CreateCheckoutBody,
  request: IdempotentRequest,
): Promise<CreatedOnce | Refusal> => {
  for (let tries = 1; ; tries += 1) {
    let refusal: Refusal | undefined
    try {
      const created = await createCheckout(deps, seller, body, request)
      if (!isRefusal(created)) return { reading: created, isReplay: false }
      refusal = created
    } catch (error) {
      if (!isKeyConflict(error) || tries === TRIES) throw error
    }
    const reading = await replay(deps, seller, request)
    if (reading !== null && !isRefusal(reading)) return { reading, isReplay: true }
    if (refusal !== undefined) return refusal
    if (reading !== null) return reading
  }
}
