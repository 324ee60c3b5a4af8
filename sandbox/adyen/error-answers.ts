/** Service errors: Adyen's shape of an answer that is no success, with the codes of its documents. */
import { json, type Reply } from '../http/router.ts'

/**
 * docs.adyen.com/development-resources/error-codes; types by Adyen's own examples in the schema file. No real answer with
 * 010, 129, 130, 137 or 138 was seen, and Adyen has answered an unknown field with 400 as well: an adapter may build on
 * the class of the status alone.
 */
const errors = {
  not_json: [400, '702', 'validation'],
  not_json_type: [415, '702', 'validation'],
  unauthorized: [401, '000', 'security'],
  not_allowed: [403, '010', 'security'],
  invalid_merchant_account: [403, '901', 'security'],
  structure: [422, '702', 'validation'],
  return_url_missing: [422, '14_030', 'validation'],
  reference_missing: [422, '130', 'validation'],
  invalid_card_number: [422, '101', 'validation'],
  invalid_cvc: [422, '103', 'validation'],
  invalid_expiry: [422, '129', 'validation'],
  invalid_amount: [422, '137', 'validation'],
  unsupported_currency: [422, '138', 'validation'],
  payment_not_found: [422, '167', 'validation'],
  // docs.adyen.com/development-resources/api-idempotency: 422 or 409 with 704; transient-error says whether to retry.
  in_progress: [409, '704', 'validation'],
  key_used_otherwise: [422, '704', 'validation'],
  internal: [500, '905', 'configuration'],
} as const satisfies Record<string, readonly [status: number, errorCode: string, errorType: string]>

export type ErrorName = keyof typeof errors

/** The message never quotes a value of the request: it may be a card number in the wrong place. */
export const serviceError = (
  name: ErrorName,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => {
  const [status, errorCode, errorType] = errors[name]
  return json(status, { status, errorCode, message, errorType }, headers)
}
