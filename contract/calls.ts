/** Calls of both APIs: schemas of parameters, body and answer, and the errors each call can give. */
import { Type, type TSchema } from 'typebox'
import { MeAnswer, type KeyAccess } from './api-key.ts'
import { CheckoutAnswer, CheckoutPath } from './checkout.ts'
import type { ErrorCode } from './errors.ts'
import { CreateCheckoutBody, MerchantCheckoutAnswer, RefundAnswer, RefundBody } from './merchant.ts'
import { PictureAnswer, PictureBody, PicturePath, PictureRemovedAnswer } from './pictures.ts'
import { MERCHANT_PATHS, SHOPPER_PATHS, type CallPath } from './paths.ts'
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

/** One call, written once: the server validates by it, both sides take their types from it, OpenAPI is made of it. */
export interface Call<Path extends TSchema, Body extends TSchema, Answer extends TSchema> extends CallPath {
  readonly summary: string
  readonly params: Path
  readonly body: Body
  readonly status: 200 | 201
  readonly answer: Answer
  readonly errors: readonly ErrorCode[]
  /** Every call of the merchant API names it: see MerchantCall. */
  readonly access?: KeyAccess
  /** A call that has a limit of its own beside the one of its key. */
  readonly limit?: 'refunds'
}

/** A call of the merchant's server: it does not compile without the access that its key needs. */
export interface MerchantCall<Path extends TSchema, Body extends TSchema, Answer extends TSchema> extends Call<
  Path,
  Body,
  Answer
> {
  readonly access: KeyAccess
}

const call = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  definition: Call<Path, Body, Answer>,
): Call<Path, Body, Answer> => definition

/** Every call reads the database, if only to find the merchant. */
const faults = ['unavailable', 'system_error'] as const

/** Every call but a GET reads the body it is sent, also one that wants none. */
export const bodyErrors = ['invalid_json', 'invalid_field', 'body_too_large', 'unsupported_media_type'] as const

export const NoPath = Type.Object({})

/** A call without a body accepts none, an empty one and `{}`: HTTP clients differ in what they send for "nothing". */
export const NoBody = Type.Union([Type.Null(), Type.Object({}, { additionalProperties: false })])

export const BinCodesAnswer = Type.Array(
  Type.Object({ prefix: Type.String(), brand: Type.String() }, { additionalProperties: false }),
)

export const readCheckout = call({
  ...SHOPPER_PATHS.readCheckout,
  summary: 'Read a checkout',
  params: CheckoutPath,
  body: NoBody,
  status: 200,
  answer: CheckoutAnswer,
  errors: ['checkout_not_found', ...faults],
})

export const cancelCheckout = call({
  ...SHOPPER_PATHS.cancelCheckout,
  summary: 'Cancel a checkout',
  params: CheckoutPath,
  body: NoBody,
  status: 200,
  answer: CheckoutAnswer,
  errors: ['checkout_not_found', 'payment_in_progress', ...bodyErrors, ...faults],
})

export const listBinCodes = call({
  ...SHOPPER_PATHS.listBinCodes,
  summary: 'List the card number prefixes of the brands',
  params: NoPath,
  body: NoBody,
  status: 200,
  answer: BinCodesAnswer,
  errors: ['checkout_not_found', ...faults],
})

export const startPayment = call({
  ...SHOPPER_PATHS.startPayment,
  summary: 'Start a payment attempt with a card',
  params: CheckoutPath,
  body: StartBody,
  status: 200,
  answer: StartAnswer,
  errors: [
    'checkout_not_found',
    'checkout_closed',
    'card_declined',
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

export const authenticate = call({
  ...SHOPPER_PATHS.authenticate,
  summary: 'Authenticate the card holder',
  params: OrderPath,
  body: NoBody,
  status: 200,
  answer: AuthenticateAnswer,
  errors: [
    ...reportErrors,
    'card_not_held',
    'authentication_unfinished',
    'authentication_unavailable',
    'too_many_calls',
  ],
})

export const reportCollectError = call({
  ...SHOPPER_PATHS.reportCollectError,
  summary: 'Report that collecting browser facts failed',
  params: OrderPath,
  body: NoBody,
  status: 200,
  answer: ReportAnswer,
  errors: reportErrors,
})

export const reportChallengeError = call({
  ...SHOPPER_PATHS.reportChallengeError,
  summary: 'Report that the challenge failed',
  params: OrderPath,
  body: NoBody,
  status: 200,
  answer: ReportAnswer,
  errors: reportErrors,
})

export const monitorChallenge = call({
  ...SHOPPER_PATHS.monitorChallenge,
  summary: 'Ask whether the challenge has a result',
  params: OrderPath,
  body: NoBody,
  status: 200,
  answer: MonitorAnswer,
  errors: [...orderErrors, 'invalid_field', 'too_many_calls'],
})

export const pay = call({
  ...SHOPPER_PATHS.pay,
  summary: 'Charge the card of an attempt',
  params: CheckoutOrderPath,
  body: PayBody,
  status: 200,
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

export const merchantErrors = ['invalid_api_key', 'too_many_requests', ...faults] as const

export const merchantCall = <Path extends TSchema, Body extends TSchema, Answer extends TSchema>(
  definition: MerchantCall<Path, Body, Answer>,
): MerchantCall<Path, Body, Answer> => ({
  ...definition,
  // Every key may read.
  errors: [...definition.errors, ...(definition.access === 'read' ? [] : ['key_not_allowed' as const])],
})

export const readMe = merchantCall({
  ...MERCHANT_PATHS.readMe,
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

export const replacePicture = merchantCall({
  ...MERCHANT_PATHS.replacePicture,
  access: 'full',
  summary: 'Upload the logo or the cover of the shop: the bytes of a PNG, JPEG or WebP file as the body',
  params: PicturePath,
  body: PictureBody,
  status: 200,
  answer: PictureAnswer,
  errors: ['image_refused', 'invalid_field', ...merchantErrors],
})

export const removePicture = merchantCall({
  ...MERCHANT_PATHS.removePicture,
  access: 'full',
  summary: 'Remove the logo or the cover of the shop',
  params: PicturePath,
  body: NoBody,
  status: 200,
  answer: PictureRemovedAnswer,
  errors: [...merchantErrors, ...bodyErrors],
})
