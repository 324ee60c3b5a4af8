/** Adyen, reasons: its refusal codes and error codes as the short codes that we store. */

/** `refusalReasonCode` of a payment: docs.adyen.com/development-resources/refusal-reasons. */
const REFUSALS: Readonly<Record<string, string>> = {
  '2': 'refused',
  '3': 'referral',
  '4': 'acquirer_error',
  '5': 'blocked_card',
  '6': 'expired_card',
  '7': 'invalid_amount',
  '8': 'invalid_card_number',
  '9': 'issuer_unavailable',
  '10': 'not_supported',
  '11': 'not_authenticated',
  '12': 'not_enough_balance',
  '14': 'acquirer_fraud',
  '15': 'cancelled',
  '16': 'shopper_cancelled',
  '17': 'invalid_pin',
  '18': 'pin_tries_exceeded',
  '20': 'fraud',
  '21': 'not_submitted',
  '22': 'fraud_cancelled',
  '23': 'transaction_not_permitted',
  '24': 'cvc_declined',
  '25': 'restricted_card',
  '26': 'revocation_of_authorisation',
  '27': 'declined_non_generic',
  '28': 'withdrawal_amount_exceeded',
  '29': 'withdrawal_count_exceeded',
  '31': 'issuer_suspected_fraud',
  '32': 'avs_declined',
  '33': 'online_pin_required',
  '34': 'no_checking_account',
  '35': 'no_savings_account',
  '36': 'mobile_pin_required',
  '37': 'contactless_fallback',
  '38': 'authentication_required',
  '39': 'authentication_result_missing',
  '42': 'authentication_error',
  '44': 'invalid_authentication_data',
  '46': 'closed_account',
}

/** `errorCode` of a request that was refused: docs.adyen.com/development-resources/error-codes. */
const ERRORS: Readonly<Record<string, string>> = {
  '100': 'invalid_amount',
  '101': 'invalid_card_number',
  '102': 'card_brand_unknown',
  '103': 'cvc_length',
  '104': 'billing_address',
  '111': 'invalid_merchant_account',
  '128': 'holder_name_missing',
  '129': 'expiry_date_invalid',
  '137': 'invalid_amount',
  '138': 'currency_not_supported',
  '140': 'expiry_month_invalid',
  '141': 'expiry_year_invalid',
  '803': 'not_supported',
  '905': 'payment_details_not_supported',
}

const OTHER = 'other'

/** Own keys alone: a code named like a method of objects is none of Adyen's. */
const named = (table: Readonly<Record<string, string>>, code: unknown): string =>
  typeof code === 'string' && Object.hasOwn(table, code) ? (table[code] ?? OTHER) : OTHER

export const refusalOfPayment = (refusalReasonCode: unknown): string => named(REFUSALS, refusalReasonCode)
export const refusalOfRequest = (errorCode: unknown): string => named(ERRORS, errorCode)

/**
 * The words of a notification as a short code, such as `insufficient_balance`. Words with three digits in a row may repeat a
 * card number or its code.
 */
export const codeOfWords = (words: string): string => {
  const code = words
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, 65)
    .replaceAll(/^_|_$/g, '')
    .slice(0, 64)
  return code === '' || /\d{3}/.test(code) ? OTHER : code
}
