/** Calls of the merchant API that create, read and refund one checkout. */
import { MeAnswer } from './api-key.ts'
import { bodyErrors, merchantCall, merchantErrors, NoBody, NoPath } from './calls.ts'
import { CheckoutPath } from './checkout.ts'
import { CreateCheckoutBody, MerchantCheckoutAnswer, RefundAnswer, RefundBody } from './merchant.ts'
import { MERCHANT_PATHS } from './paths.ts'

export const readMe = merchantCall({
  ...MERCHANT_PATHS.readMe,
  lane: 'merchantCalls',
  access: 'read',
  summary: 'Read whose key this is, and what it may do',
  params: NoPath,
  body: NoBody,
  status: 200,
  answer: MeAnswer,
  errors: [...merchantErrors],
})

export const createCheckout = merchantCall({
  ...MERCHANT_PATHS.createCheckout,
  lane: 'creates',
  access: 'sales',
  summary: 'Create a checkout',
  params: NoPath,
  body: CreateCheckoutBody,
  status: 201,
  answer: MerchantCheckoutAnswer,
  errors: ['idempotency_key_reused', ...merchantErrors, ...bodyErrors],
})

export const readMerchantCheckout = merchantCall({
  ...MERCHANT_PATHS.readCheckout,
  lane: 'merchantCalls',
  access: 'read',
  summary: 'Read a checkout',
  params: CheckoutPath,
  body: NoBody,
  status: 200,
  answer: MerchantCheckoutAnswer,
  errors: ['checkout_not_found', ...merchantErrors],
})

export const refundCheckout = merchantCall({
  ...MERCHANT_PATHS.refundCheckout,
  lane: 'merchantCalls',
  access: 'full',
  limit: 'refunds',
  summary: 'Refund a paid checkout, wholly or in part',
  params: CheckoutPath,
  body: RefundBody,
  status: 201,
  answer: RefundAnswer,
  errors: [
    'checkout_not_found',
    'not_refundable',
    'refund_mismatch',
    'refund_exceeds_payment',
    ...merchantErrors,
    ...bodyErrors,
  ],
})
