import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MERCHANT_API } from './merchant/api.ts'
import * as shopperCalls from './shopper-calls.ts'
import { ERRORS, type ErrorCode } from './error-table.ts'
import { errorBody, isRefusal, refuse } from './errors.ts'

const entries = Object.entries(ERRORS)
/** Errors that only calls of the merchant's server and of the console can give: no page reads them. */
const ofShoppers = entries.filter(([, { type }]) => !['webhook', 'report', 'link', 'console'].includes(type))
const withStatus = (status: number): string[] =>
  entries.filter(([, entry]) => entry.status === status).map(([code]) => code)

const definitions = Object.entries({
  ...shopperCalls,
  ...MERCHANT_API,
}).flatMap(([name, value]) => (typeof value === 'object' && 'errors' in value ? [{ name, ...value }] : []))

test('every error has the type and the status that the page and the merchant rely on', () => {
  const expected: Record<ErrorCode, string> = {
    invalid_json: 'invalid_request 400',
    invalid_field: 'invalid_request 400',
    body_too_large: 'invalid_request 413',
    unsupported_media_type: 'invalid_request 415',
    image_refused: 'invalid_request 400',
    address_refused: 'invalid_request 400',
    link_not_found: 'link 404',
    webhook_not_found: 'webhook 404',
    event_not_found: 'webhook 404',
    reconciliation_not_found: 'report 404',
    webhook_disabled: 'webhook 409',
    too_many_webhooks: 'webhook 409',
    if_match_required: 'invalid_request 428',
    settings_changed: 'invalid_request 412',
    method_not_allowed: 'invalid_request 405',
    invalid_api_key: 'authentication 401',
    key_not_allowed: 'authentication 403',
    signed_out: 'console 401',
    not_from_the_console: 'console 403',
    role_not_allowed: 'console 403',
    passkey_needed: 'console 403',
    passkey_too_new: 'console 403',
    link_not_usable: 'console 422',
    passkey_refused: 'console 422',
    last_owner: 'console 409',
    last_passkey: 'console 409',
    too_many_passkeys: 'console 409',
    already_a_member: 'console 409',
    too_many_people: 'console 409',
    approval_not_allowed: 'console 403',
    too_many_tries: 'console 429',
    person_not_found: 'console 404',
    key_not_found: 'console 404',
    too_many_keys: 'console 409',
    shop_closed: 'console 403',
    shop_not_live: 'console 403',
    shop_not_found: 'console 404',
    label_taken: 'console 409',
    nothing_to_retry: 'console 404',
    too_many_requests: 'limit 429',
    idempotency_key_reused: 'invalid_request 422',
    checkout_not_found: 'checkout 404',
    refund_not_found: 'checkout 404',
    checkout_closed: 'checkout 404',
    order_not_found: 'attempt 409',
    order_over: 'attempt 409',
    card_not_held: 'attempt 409',
    authentication_unfinished: 'attempt 409',
    wrong_step: 'attempt 409',
    payment_in_progress: 'attempt 409',
    nothing_charged: 'attempt 409',
    no_receipt: 'receipt 422',
    not_refundable: 'refund 422',
    refund_mismatch: 'refund 422',
    refund_exceeds_payment: 'refund 422',
    card_declined: 'card 402',
    not_a_test_card: 'invalid_request 400',
    too_many_starts: 'limit 429',
    too_many_attempts: 'limit 429',
    too_many_calls: 'limit 429',
    gateway_unavailable: 'unavailable 503',
    authentication_unavailable: 'unavailable 503',
    unavailable: 'unavailable 503',
    system_error: 'unavailable 500',
  }
  const actual = Object.fromEntries(entries.map(([code, { type, status }]) => [code, `${type} ${status}`]))
  assert.deepEqual(actual, expected)
})

test('a 404 is about the checkout and nothing else, because it ends the payment on the page', () => {
  assert.notEqual(withStatus(404).length, 0)
  for (const [code, { type, status }] of ofShoppers) assert.equal(status === 404, type === 'checkout', code)
  for (const { name, errors } of Object.entries(shopperCalls).flatMap(([name, value]) =>
    typeof value === 'object' && 'errors' in value ? [{ name, ...value }] : [],
  ))
    assert.ok(
      errors.every((code) => ERRORS[code].type !== 'webhook'),
      name,
    )
})

test('everything about an attempt is a 409: the checkout itself is unchanged', () => {
  for (const [code, { type, status }] of ofShoppers) assert.equal(status === 409, type === 'attempt', code)
})

test('a refund or a receipt that cannot be made is a 422, so that to a merchant a 409 always means later', () => {
  for (const [code, { type, status }] of entries)
    if (type === 'refund' || type === 'receipt') assert.equal(status, 422, code)
})

test('all refused cards get one identical answer, so that nobody can tell a blocked card from a declined one', () => {
  assert.deepEqual(withStatus(402), ['card_declined'])
})

test('every error has one sentence that a reader can act on', () => {
  for (const [code, { message }] of entries) assert.match(message, /^[A-Z].*\S$/, code)
  assert.equal(new Set(entries.map(([, { message }]) => message)).size, entries.length)
})

test('a call answers only with errors of the table, lists each once, and can always answer a system error', () => {
  assert.ok(definitions.length >= 11)
  for (const { name, errors } of definitions) {
    for (const code of errors) assert.ok(Object.hasOwn(ERRORS, code), `${name}: ${code}`)
    assert.equal(new Set(errors).size, errors.length, name)
    assert.ok(errors.includes('system_error'), name)
  }
})

test('only start can refuse a card because it is no test card: later there is none to refuse', () => {
  const refusing = definitions.filter(({ errors }) => errors.includes('not_a_test_card')).map(({ name }) => name)
  assert.deepEqual(refusing, ['startPayment'])
})

test('only start and pay can refuse a card', () => {
  const refusing = definitions.filter(({ errors }) => errors.includes('card_declined')).map(({ name }) => name)
  assert.deepEqual(refusing.toSorted(), ['pay', 'startPayment'])
})

test('an error body has type, code, message and params, from the table', () => {
  for (const code of Object.keys(ERRORS).filter((key): key is ErrorCode => key in ERRORS)) {
    const { type, message } = ERRORS[code]
    assert.deepEqual(errorBody(refuse(code)), { type, code, message, params: {} })
  }
  assert.deepEqual(errorBody(refuse('checkout_closed', { status: 'expired' })), {
    type: 'checkout',
    code: 'checkout_closed',
    message: 'This checkout is no longer open. `params.status` says why.',
    params: { status: 'expired' },
  })
})

test('a refusal may say more than the table, but never less', () => {
  const refusal = refuse('invalid_field', { field: 'amount' }, 'amount must be whole yen.')
  assert.deepEqual(errorBody(refusal), {
    type: 'invalid_request',
    code: 'invalid_field',
    message: 'amount must be whole yen.',
    params: { field: 'amount' },
  })
  assert.deepEqual(refuse('card_declined'), { refused: 'card_declined' })
  assert.deepEqual(refuse('order_over', undefined, 'Gone.'), { refused: 'order_over', message: 'Gone.' })
})

test('a refusal can be distinguished from an answer', () => {
  assert.equal(isRefusal(refuse('card_declined')), true)
  assert.equal(isRefusal({ orderCode: 'abc', threeDSRequired: false }), false)
  assert.equal(isRefusal([]), false)
})
