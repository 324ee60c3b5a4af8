/** Error codes: one total table, code to type, HTTP status and message. */

/** Why a call was refused. The page takes a 404 with such a body as final for its checkout. */
interface ErrorEntry {
  readonly type:
    | 'invalid_request'
    | 'authentication'
    | 'checkout'
    | 'attempt'
    | 'refund'
    | 'webhook'
    | 'link'
    | 'receipt'
    | 'report'
    | 'card'
    | 'limit'
    | 'console'
    | 'unavailable'
  readonly status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 428 | 429 | 500 | 503
  readonly message: string
}

/** A kind of error that several codes share: each says in its message what is wrong and what to do. */
const error =
  (type: ErrorEntry['type'], status: ErrorEntry['status']) =>
  (message: string): ErrorEntry => ({ type, status, message })

const badRequest = error('invalid_request', 400)
const notFound = error('checkout', 404)
const attempt = error('attempt', 409)
const refund = error('refund', 422)
const limit = error('limit', 429)
const unavailable = error('unavailable', 503)

const table = {
  invalid_json: badRequest('The body is not valid JSON. Send one JSON object.'),
  invalid_field: badRequest('A field is missing, unknown or out of range. `params.field` names it.'),
  body_too_large: {
    type: 'invalid_request',
    status: 413,
    message: 'The body is too large. Send less.',
  },
  unsupported_media_type: {
    type: 'invalid_request',
    status: 415,
    message: 'The body must be JSON. Send it with Content-Type: application/json.',
  },
  image_refused: badRequest(
    'This picture cannot be shown. `params.reason` says why. Send the bytes of a PNG, JPEG or WebP file.',
  ),
  address_refused: badRequest(
    'No webhook may be sent to this address. Register an https address that the world can reach.',
  ),
  link_not_found: { type: 'link', status: 404, message: 'There is no such reusable link.' },
  webhook_not_found: { type: 'webhook', status: 404, message: 'There is no such webhook.' },
  event_not_found: { type: 'webhook', status: 404, message: 'There is no such event.' },
  reconciliation_not_found: { type: 'report', status: 404, message: 'There is no such reconciliation.' },
  webhook_disabled: {
    type: 'webhook',
    status: 409,
    message: 'This webhook is disabled. Enable it first, then send the same again.',
  },
  too_many_webhooks: {
    type: 'webhook',
    status: 409,
    message: 'There are as many webhooks as there may be. Remove one first; `params.most` says how many there may be.',
  },
  if_match_required: {
    type: 'invalid_request',
    status: 428,
    message: 'If-Match is missing. Read the settings and send their ETag, or * to change them however they stand.',
  },
  settings_changed: {
    type: 'invalid_request',
    status: 412,
    message: 'The settings are no longer those of this If-Match. Nothing was changed; read them again.',
  },
  method_not_allowed: {
    type: 'invalid_request',
    status: 405,
    message: 'There is no such call at this address. Compare path and method with the reference.',
  },
  invalid_api_key: {
    type: 'authentication',
    status: 401,
    message: 'The API key is missing, unknown or no longer valid. Send Authorization: Bearer sk_test_… or sk_live_….',
  },
  key_not_allowed: {
    type: 'authentication',
    status: 403,
    message: 'This API key may not make this call: it needs the access that `params.needed` names.',
  },
  signed_out: {
    type: 'console',
    status: 401,
    message: 'Nobody has signed in, or the session has ended. Sign in again.',
  },
  not_from_the_console: {
    type: 'console',
    status: 403,
    message: 'A call with a session is taken from the console’s own page alone.',
  },
  role_not_allowed: {
    type: 'console',
    status: 403,
    message: 'Your role at this shop does not allow this: it needs the role that `params.needed` names.',
  },
  passkey_needed: {
    type: 'console',
    status: 403,
    message: 'Confirm with your passkey first, then send the same call again.',
  },
  passkey_too_new: {
    type: 'console',
    status: 403,
    message:
      'This passkey was enrolled after a recovery. It confirms from `params.until` on, or when another owner has approved it.',
  },
  link_not_usable: {
    type: 'console',
    status: 422,
    message: 'This link has been used, has ended, or is for another browser or another person. Ask for a new one.',
  },
  passkey_refused: {
    type: 'console',
    status: 422,
    message: 'This passkey was not accepted. Try again, or ask for a link by mail.',
  },
  last_owner: {
    type: 'console',
    status: 409,
    message: 'A shop keeps at least one owner. Make another person an owner first.',
  },
  last_passkey: {
    type: 'console',
    status: 409,
    message: 'A person keeps at least one passkey that confirms. Enrol another one first.',
  },
  too_many_passkeys: {
    type: 'console',
    status: 409,
    message: 'There are as many passkeys as there may be. Remove one first; `params.most` says how many there may be.',
  },
  already_a_member: {
    type: 'console',
    status: 409,
    message: 'This address belongs to a person of this shop already. Change the role instead.',
  },
  too_many_people: {
    type: 'console',
    status: 409,
    message:
      'There are as many people and invitations as there may be. Remove one first; `params.most` says how many there may be.',
  },
  approval_not_allowed: {
    type: 'console',
    status: 403,
    message:
      'Only another person who owns every shop of this person can approve the passkey. It confirms by itself later.',
  },
  too_many_tries: {
    type: 'console',
    status: 429,
    message: 'There were too many tries. Try again after `params.retryAfterSeconds`.',
  },
  person_not_found: {
    type: 'console',
    status: 404,
    message: 'There is no such person, invitation, passkey or session.',
  },
  key_not_found: { type: 'console', status: 404, message: 'There is no such API key.' },
  too_many_keys: {
    type: 'console',
    status: 409,
    message:
      'There are as many API keys as there may be, those of the last day among them. `params.most` says how many there may be.',
  },
  shop_closed: { type: 'console', status: 403, message: 'This shop is closed. An operator can reopen it.' },
  shop_not_live: {
    type: 'console',
    status: 403,
    message: 'This shop has no account at an acquirer that has passed its check: it cannot take real money yet.',
  },
  shop_not_found: { type: 'console', status: 404, message: 'There is no such shop.' },
  label_taken: { type: 'console', status: 409, message: 'There is a shop with this label. Choose another one.' },
  nothing_to_retry: {
    type: 'console',
    status: 404,
    message: 'Nothing of this id waits or has failed. Read the list again.',
  },
  too_many_requests: limit('This API key has made too many calls. Try again after `params.retryAfterSeconds`.'),
  idempotency_key_reused: {
    type: 'invalid_request',
    status: 422,
    message: 'This Idempotency-Key was sent with another body in the last 24 hours. Use a new key for what is new.',
  },
  checkout_not_found: notFound('There is no such checkout.'),
  checkout_closed: notFound('This checkout is no longer open. `params.status` says why.'),
  refund_not_found: notFound('This checkout has no such refund.'),
  order_not_found: attempt('This checkout has no such order code. Start again.'),
  order_over: attempt('This order code has been given up. Start again.'),
  card_not_held: attempt('The card is no longer held for this order code. Start again.'),
  authentication_unfinished: attempt('The card holder has not been authenticated for this order code.'),
  wrong_step: attempt('This order code is at another step of its payment. Start again.'),
  payment_in_progress: attempt('A payment of this checkout is under way. Read the checkout; do not pay again.'),
  nothing_charged: attempt('The payment was not carried out and nothing was charged. Start again.'),
  no_receipt: {
    type: 'receipt',
    status: 422,
    message: 'Only a paid checkout has a receipt. `params.status` says how this one stands.',
  },
  not_refundable: refund('Only a paid checkout can be refunded. `params.status` says how this one stands.'),
  refund_mismatch: refund(
    'This refund id was used with another amount or other taxes; `params.amount` is its amount. Use a new id for a new refund.',
  ),
  refund_exceeds_payment: refund('More than is left cannot be refunded. `params.remaining` is what is left, in yen.'),
  card_declined: { type: 'card', status: 402, message: 'This card is not accepted.' },
  not_a_test_card: badRequest(
    'Only test cards are accepted. This number was sent to nobody; use one of the published test cards.',
  ),
  too_many_starts: limit('This checkout has been tried too often. Ask the shop for a new link.'),
  too_many_attempts: limit(
    'Too many payments from this network have failed. Nothing was charged; try again after `params.retryAfterSeconds`.',
  ),
  too_many_calls: limit('Too many calls about this order code are waiting for an answer. Wait for one of them.'),
  gateway_unavailable: unavailable(
    'Cards cannot be charged at the moment. Nothing was charged; try again in a little while.',
  ),
  authentication_unavailable: unavailable(
    'The card holder cannot be authenticated at the moment. Nothing was charged; try again in a little while.',
  ),
  unavailable: unavailable('The service is not ready. Try again in a little while.'),
  system_error: { type: 'unavailable', status: 500, message: 'System error' },
} satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof table

export const ERRORS: Record<ErrorCode, ErrorEntry> = table
