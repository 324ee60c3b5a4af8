/** Calls of the shopper's page: read and cancel a checkout, pay it with 3-D Secure. */
import { Type } from 'typebox'
import { bodyErrors, faults, NoBody, NoPath, shopperCall } from './calls.ts'
import { CheckoutAnswer, CheckoutPath } from './checkout.ts'
import { SHOPPER_PATHS } from './paths.ts'
import {
  AuthenticateAnswer,
  CheckoutOrderPath,
  MonitorAnswer,
  OrderPath,
  PayBody,
  ReportAnswer,
  StartAnswer,
  StartBody,
} from './three-ds.ts'

export const BinCodesAnswer = Type.Array(
  Type.Object({ prefix: Type.String(), brand: Type.String() }, { additionalProperties: false }),
)

export const readCheckout = shopperCall({
  ...SHOPPER_PATHS.readCheckout,
  lane: 'reads',
  summary: 'Read a checkout',
  params: CheckoutPath,
  body: NoBody,
  answer: CheckoutAnswer,
  errors: ['checkout_not_found', ...faults],
})

export const cancelCheckout = shopperCall({
  ...SHOPPER_PATHS.cancelCheckout,
  lane: 'payment',
  summary: 'Cancel a checkout',
  params: CheckoutPath,
  body: NoBody,
  answer: CheckoutAnswer,
  errors: ['checkout_not_found', 'payment_in_progress', ...bodyErrors, ...faults],
})

export const listBinCodes = shopperCall({
  ...SHOPPER_PATHS.listBinCodes,
  lane: 'files',
  summary: 'List the card number prefixes of the brands',
  params: NoPath,
  body: NoBody,
  answer: BinCodesAnswer,
  errors: ['checkout_not_found', ...faults],
})

export const startPayment = shopperCall({
  ...SHOPPER_PATHS.startPayment,
  lane: 'payment',
  summary: 'Start a payment attempt with a card',
  params: CheckoutPath,
  body: StartBody,
  answer: StartAnswer,
  errors: [
    'checkout_not_found',
    'checkout_closed',
    'card_declined',
    'not_a_test_card',
    'payment_in_progress',
    'too_many_starts',
    'too_many_attempts',
    'order_over',
    'gateway_unavailable',
    'authentication_unavailable',
    ...bodyErrors,
    ...faults,
  ],
})

const orderErrors = ['checkout_not_found', 'order_not_found', 'wrong_step', ...faults] as const
const reportErrors = [...orderErrors, 'order_over', 'payment_in_progress', ...bodyErrors] as const

export const authenticate = shopperCall({
  ...SHOPPER_PATHS.authenticate,
  lane: 'payment',
  summary: 'Authenticate the card holder',
  params: OrderPath,
  body: NoBody,
  answer: AuthenticateAnswer,
  errors: [
    ...reportErrors,
    'card_not_held',
    'authentication_unfinished',
    'authentication_unavailable',
    'too_many_calls',
  ],
})

export const reportCollectError = shopperCall({
  ...SHOPPER_PATHS.reportCollectError,
  lane: 'payment',
  summary: 'Report that collecting browser facts failed',
  params: OrderPath,
  body: NoBody,
  answer: ReportAnswer,
  errors: reportErrors,
})

export const reportChallengeError = shopperCall({
  ...SHOPPER_PATHS.reportChallengeError,
  lane: 'payment',
  summary: 'Report that the challenge failed',
  params: OrderPath,
  body: NoBody,
  answer: ReportAnswer,
  errors: reportErrors,
})

export const monitorChallenge = shopperCall({
  ...SHOPPER_PATHS.monitorChallenge,
  lane: 'payment',
  summary: 'Ask whether the challenge has a result',
  params: OrderPath,
  body: NoBody,
  answer: MonitorAnswer,
  errors: [...orderErrors, 'invalid_field', 'too_many_calls'],
})

export const pay = shopperCall({
  ...SHOPPER_PATHS.pay,
  lane: 'payment',
  summary: 'Charge the card of an attempt',
  params: CheckoutOrderPath,
  body: PayBody,
  answer: CheckoutAnswer,
  errors: [
    'checkout_not_found',
    'order_not_found',
    'order_over',
    'card_not_held',
    'authentication_unfinished',
    'payment_in_progress',
    'nothing_charged',
    'card_declined',
    'too_many_calls',
    ...bodyErrors,
    ...faults,
  ],
})
