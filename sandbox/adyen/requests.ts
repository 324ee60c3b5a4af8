/** Requests of Adyen's Checkout API: parsed by Adyen's schema and by the rules that its documents add to it. */
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { brandOf, passesLuhn } from '../cards/cards.ts'
import { isJsonObject, parseJsonObject, type JsonObject } from '../http/json.ts'
import type { Reply } from '../http/router.ts'
import type { NewPayment } from './bookings.ts'
import { paymentMethodOf } from './card-behaviour.ts'
import { serviceError, type ErrorName } from './error-answers.ts'
import type { VendorSchema } from './vendor-schema.ts'

export type Parsed<Value> =
  | { readonly kind: 'parsed'; readonly value: Value }
  | { readonly kind: 'refused'; readonly reply: Reply }

const refused = (name: ErrorName, message: string): { kind: 'refused'; reply: Reply } => ({
  kind: 'refused',
  reply: serviceError(name, message),
})

const Amount = Type.Object({ currency: Type.String(), value: Type.Integer() })

/** Of what the schema has let pass, the part that the double reads. */
const Payment = Type.Object({
  merchantAccount: Type.String(),
  reference: Type.String(),
  amount: Amount,
  returnUrl: Type.String(),
  additionalData: Type.Optional(Type.Object({ manualCapture: Type.Optional(Type.String()) })),
  mpiData: Type.Optional(Type.Object({ cavv: Type.Optional(Type.String()) })),
  paymentMethod: Type.Object({
    type: Type.Optional(Type.String()),
    number: Type.String(),
    expiryMonth: Type.String(),
    expiryYear: Type.String(),
    cvc: Type.Optional(Type.String()),
  }),
})
const AmountModification = Type.Object({ amount: Amount, reference: Type.Optional(Type.String()) })
const Cancel = Type.Object({ reference: Type.Optional(Type.String()) })
const CancelByReference = Type.Object({ paymentReference: Type.String(), reference: Type.Optional(Type.String()) })

export interface PaymentRequest extends NewPayment {
  readonly cardNumber: string
}

interface AmountRequest {
  readonly amountYen: number
  readonly reference: string
}

export const parseBody = (text: string): Parsed<JsonObject> => {
  const body = parseJsonObject(text)
  return body === undefined ? refused('not_json', 'The body must be a JSON object.') : { kind: 'parsed', value: body }
}

const structureProblem = (
  schema: VendorSchema,
  name: Parameters<VendorSchema['problemOf']>[0],
  body: JsonObject,
): ReturnType<typeof refused> | undefined => {
  // Adyen's own codes for these two: the 422 example of its schema file, and its list of error codes.
  if (name === 'PaymentRequest' && body['returnUrl'] === undefined)
    return refused('return_url_missing', 'Return URL is missing.')
  if (name === 'PaymentRequest' && body['reference'] === undefined)
    return refused('reference_missing', 'Reference Missing')
  const problem = schema.problemOf(name, body)
  return problem === undefined
    ? undefined
    : refused('structure', `${name} at ${problem.at === '' ? '/' : problem.at}: ${problem.message}`)
}

const amountProblem = ({ currency, value }: Static<typeof Amount>): ReturnType<typeof refused> | undefined => {
  if (currency !== 'JPY') return refused('unsupported_currency', 'Unsupported currency specified; the double takes JPY')
  return value < 1 ? refused('invalid_amount', 'Invalid amount specified') : undefined
}

const cardProblem = (card: Static<typeof Payment>['paymentMethod']): ReturnType<typeof refused> | undefined => {
  const { number, expiryMonth, expiryYear, cvc } = card
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return refused('invalid_card_number', 'Invalid card number')
  if (!/^(0?[1-9]|1[0-2])$/.test(expiryMonth) || !/^20\d\d$/.test(expiryYear))
    return refused('invalid_expiry', 'Expiry Date Invalid')
  return cvc === undefined || /^\d{3,4}$/.test(cvc) ? undefined : refused('invalid_cvc', 'CVC is not the right length')
}

const CAVV_BYTES = 20

/** The schema says of cavv: "base64 encoded, 20 bytes in a decoded form". */
const isCavv = (text: string): boolean =>
  Buffer.from(text, 'base64').length === CAVV_BYTES && Buffer.from(text, 'base64').toString('base64') === text

export const parsePayment = (schema: VendorSchema, body: JsonObject): Parsed<PaymentRequest> => {
  const problem = structureProblem(schema, 'PaymentRequest', body)
  if (problem !== undefined) return problem
  if (!Check(Payment, body) || (body.paymentMethod.type ?? 'scheme') !== 'scheme')
    return refused('structure', 'PaymentRequest at /paymentMethod: the double takes type scheme with number and expiry')
  const { merchantAccount, reference, amount, paymentMethod, additionalData, mpiData } = body
  const invalid = amountProblem(amount) ?? cardProblem(paymentMethod)
  if (invalid !== undefined) return invalid
  if (mpiData?.cavv !== undefined && !isCavv(mpiData.cavv))
    return refused('structure', 'PaymentRequest at /mpiData/cavv: must be 20 bytes in base64')
  return {
    kind: 'parsed',
    value: {
      merchantAccount,
      reference,
      amountYen: amount.value,
      paymentMethod: paymentMethodOf[brandOf(paymentMethod.number)],
      lastFour: paymentMethod.number.slice(-4),
      isManualCapture: additionalData?.manualCapture === 'true',
      cardNumber: paymentMethod.number,
    },
  }
}

const parseAmountModification =
  (name: 'PaymentCaptureRequest' | 'PaymentRefundRequest') =>
  (schema: VendorSchema, body: JsonObject): Parsed<AmountRequest> => {
    const problem = structureProblem(schema, name, body)
    if (problem !== undefined) return problem
    if (!Check(AmountModification, body)) return refused('structure', `${name}: amount is missing`)
    const invalid = amountProblem(body.amount)
    return invalid ?? { kind: 'parsed', value: { amountYen: body.amount.value, reference: body.reference ?? '' } }
  }

export const parseCapture = parseAmountModification('PaymentCaptureRequest')
export const parseRefund = parseAmountModification('PaymentRefundRequest')

export const parseCancel = (schema: VendorSchema, body: JsonObject): Parsed<{ reference: string }> => {
  const problem = structureProblem(schema, 'PaymentCancelRequest', body)
  if (problem !== undefined) return problem
  return { kind: 'parsed', value: { reference: Check(Cancel, body) ? (body.reference ?? '') : '' } }
}

export const parseCancelByReference = (
  schema: VendorSchema,
  body: JsonObject,
): Parsed<{ paymentReference: string; reference: string }> => {
  const problem = structureProblem(schema, 'StandalonePaymentCancelRequest', body)
  if (problem !== undefined) return problem
  if (!Check(CancelByReference, body)) return refused('structure', 'StandalonePaymentCancelRequest: paymentReference')
  return { kind: 'parsed', value: { paymentReference: body.paymentReference, reference: body.reference ?? '' } }
}

export const merchantAccountOf = (body: JsonObject): string =>
  isJsonObject(body) && typeof body['merchantAccount'] === 'string' ? body['merchantAccount'] : ''
