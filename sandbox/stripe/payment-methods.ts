/** PaymentMethods: a card becomes an id. Its number decides what it does here and is then forgotten. */
import { brandOf, passesLuhn, type Brand } from '../cards/cards.ts'
import type { JsonObject } from '../http/json.ts'
import { failed, ok, refused, type Answer } from './answers.ts'
import { knownCardOf, NAMED_BY_TEST } from './card-behaviour.ts'
import { paymentMethodBody } from './card-objects.ts'
import { secondsOf, type Operation } from './operation.ts'
import { metadataOf, numberAt, textAt } from './parameters.ts'
import { newId } from './store.ts'

/** `card.brand` of a PaymentMethod (API reference, The PaymentMethod object). */
const brands: Record<Brand, string> = {
  visa: 'visa',
  master: 'mastercard',
  jcb: 'jcb',
  amex: 'amex',
  diners: 'diners',
  discover: 'discover',
  unknown: 'unknown',
}

const cardError = (code: string, message: string, facts: JsonObject = {}): Answer =>
  failed(402, message, { type: 'card_error', code, ...facts })

/** Codes: docs.stripe.com/error-codes. No message quotes what was sent. */
const cardFaultOf = (number: string, month: number, year: number, cvc: string, now: number): Answer | undefined => {
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number))
    return cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  if (month < 1 || month > 12)
    return cardError('invalid_expiry_month', "Your card's expiration month is invalid.", { param: 'exp_month' })
  const today = new Date(now)
  const monthsLeft = (year - today.getUTCFullYear()) * 12 + (month - 1 - today.getUTCMonth())
  if (year < 2000 || year > today.getUTCFullYear() + 50 || monthsLeft < 0)
    return cardError('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' })
  if (!/^\d{3,4}$/.test(cvc)) return cardError('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' })
  return undefined
}

export const createPaymentMethod = (
  { store, account, now }: Operation,
  values: JsonObject,
  fingerprintOf: (text: string) => string,
  /** Fingerprints of numbers that a test has named. */
  named: ReadonlySet<string>,
): Answer => {
  if (textAt(values, 'type') !== 'card')
    return refused(400, 'This double knows cards alone: type=card', { param: 'type' })
  const number = textAt(values, 'card', 'number')
  const month = numberAt(values, 'card', 'exp_month')
  const year = numberAt(values, 'card', 'exp_year')
  const [absent] = [
    ...(number === undefined ? ['card[number]'] : []),
    ...(month === undefined ? ['card[exp_month]'] : []),
    ...(year === undefined ? ['card[exp_year]'] : []),
  ]
  if (number === undefined || month === undefined || year === undefined)
    return refused(400, `Missing required param: ${absent}.`, { code: 'parameter_missing', param: absent ?? 'card' })
  const fault = cardFaultOf(number, month, year, textAt(values, 'card', 'cvc') ?? '', now)
  if (fault !== undefined) return fault
  const known = knownCardOf(number) ?? (named.has(fingerprintOf(number)) ? NAMED_BY_TEST : undefined)
  if (known === undefined) {
    // A card of the wrong mode is declined by this very call, as reports of `live_mode_test_card` show.
    return cardError(
      'card_declined',
      'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
      { decline_code: 'test_mode_live_card' },
    )
  }
  const record = {
    id: newId('pm'),
    account,
    created: secondsOf(now),
    card: {
      brand: brands[brandOf(number)],
      last4: number.slice(-4),
      expMonth: month,
      expYear: year,
      fingerprint: fingerprintOf(number).slice(0, 16),
    },
    metadata: metadataOf(values),
    ...known,
    isUsed: false,
  }
  store.paymentMethods.insert(record)
  return ok(paymentMethodBody(record))
}
