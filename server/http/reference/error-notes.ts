/** Error notes: when a call of the merchant API answers an error, and what its caller does then. */
import { ERRORS, type ErrorCode } from '#contract/error-table.ts'
import { errorBody, refuse, type ErrorBody, type ErrorParams } from '#contract/errors.ts'

interface ErrorNote {
  readonly when: string
  readonly mend: string
  /** As they may come with it. */
  readonly params?: ErrorParams
}

const notes: Readonly<Partial<Record<ErrorCode, ErrorNote>>> = {
  invalid_json: { when: 'The body is not JSON, or its bytes are not UTF-8.', mend: 'Send one JSON object, in UTF-8.' },
  invalid_field: {
    when: 'A field, a parameter or a header is missing, unknown or out of range, or its text is none: half of a surrogate pair.',
    mend: 'Read `message`: it names the field, as `params.field` does, and says what to send instead.',
    params: { field: 'amount' },
  },
  body_too_large: {
    when: 'The body is larger than its call takes: `message` says how large it may be.',
    mend: 'Send less.',
  },
  unsupported_media_type: {
    when: 'The body is of another type than JSON, in another charset than UTF-8, or compressed.',
    mend: 'Send it with `Content-Type: application/json` and without `Content-Encoding`.',
  },
  image_refused: {
    when: 'The file cannot be shown as a picture: format, size, animation, damage. `params.reason` says which.',
    mend: 'Read `message`, and save the picture again as a plain PNG, JPEG or WebP.',
    params: { reason: 'too_large' },
  },
  address_refused: {
    when: 'No webhook may be sent to this address: it is not https, or leads to an address that is not public.',
    mend: 'Read `message`, and register an https address that the world can reach.',
  },
  link_not_found: { when: 'No reusable link of your key’s mode has this id.', mend: 'List your reusable links.' },
  webhook_not_found: { when: 'No webhook of your key’s mode has this id.', mend: 'List your webhooks.' },
  event_not_found: { when: 'No event of your key’s mode has this id.', mend: 'List your events.' },
  reconciliation_not_found: {
    when: 'No reconciliation of your key’s mode has this id, or it is not kept any more.',
    mend: 'List your reconciliations.',
  },
  webhook_disabled: {
    when: 'The webhook is disabled: nothing is sent there.',
    mend: 'Enable it with `enabled: true`, then send the same again.',
  },
  too_many_webhooks: {
    when: 'You have as many webhooks as there may be.',
    mend: 'Remove one first. `params.most` says how many there may be.',
    params: { most: 16 },
  },
  if_match_required: {
    when: 'The header `If-Match` is missing.',
    mend: 'Read the settings and send their `ETag`, or `*` to change them however they stand.',
  },
  settings_changed: {
    when: 'The settings are no longer as you have read them. Nothing was changed.',
    mend: 'Read them again, look at what is new, and send your change with the new `ETag`.',
  },
  method_not_allowed: {
    when: 'There is no such call: the path or the method is wrong.',
    mend: 'Compare both with this reference.',
  },
  invalid_api_key: {
    when: 'The key is missing, unknown, ended or revoked, or it is a live key of a shop whose acquirer account has not passed its check.',
    mend: 'Send `Authorization: Bearer` with a key that is in use, to the host of the API.',
  },
  key_not_allowed: {
    when: 'The key has too little access for this call.',
    mend: 'Use a key with the access that `params.needed` names; the operator makes one.',
    params: { needed: 'full' },
  },
  too_many_requests: {
    when: 'The key has made more calls than its limit.',
    mend: 'Wait for the seconds of `Retry-After`, then send the same again.',
    params: { retryAfterSeconds: 1 },
  },
  idempotency_key_reused: {
    when: 'This `Idempotency-Key` was sent with another body in the last 24 hours.',
    mend: 'Send the first body again, or use a new key for what is new.',
  },
  checkout_not_found: {
    when: 'No checkout of your key’s mode has this id.',
    mend: 'Compare the id, and whether a test key asks for a live checkout.',
  },
  refund_not_found: { when: 'The checkout has no refund of this id.', mend: 'List its refunds.' },
  payment_in_progress: {
    when: 'A payment of this checkout is under way or in doubt.',
    mend: 'Read the checkout until `paymentPending` is false, then decide again.',
  },
  no_receipt: {
    when: 'The checkout is not paid, or has been refunded. `params.status` says how it stands.',
    mend: 'There is no receipt to send.',
    params: { status: 'open' },
  },
  not_refundable: {
    when: 'The checkout is not paid. `params.status` says how it stands.',
    mend: 'There is nothing to give back.',
    params: { status: 'open' },
  },
  refund_mismatch: {
    when: 'This refund id was used before with another amount or other taxes.',
    mend: 'Use a new id for a new refund. The first one stands, with the amount of `params.amount`.',
    params: { amount: 500 },
  },
  refund_exceeds_payment: {
    when: 'More is asked for than is left of the payment: refunds and disputes (chargebacks) have taken the rest.',
    mend: 'Ask for at most `params.remaining` yen.',
    params: { remaining: 1480 },
  },
  unavailable: {
    when: 'The service is not ready: it starts, stops or is overloaded.',
    mend: 'Wait for the seconds of `Retry-After`, then send the same again.',
  },
  system_error: {
    when: 'Something went wrong on our side. What you sent may or may not have been done.',
    mend: 'Send the same again (with its `Idempotency-Key` or its `refundId`). Tell the operator the `Request-Id`.',
  },
}

export interface DescribedError extends ErrorNote {
  readonly code: ErrorCode
  readonly status: number
  readonly body: ErrorBody
}

/** An error that a caller can get and cannot look up would be no reference. */
export const describedError = (code: ErrorCode): DescribedError => {
  const note = notes[code]
  if (note === undefined) throw new Error(`${code} is not in server/http/reference/error-notes.ts`)
  return { code, status: ERRORS[code].status, ...note, body: errorBody(refuse(code, note.params)) }
}

/** Every call can answer it, and none names it: no call was reached. */
export const UNNAMED_ERRORS: readonly ErrorCode[] = ['method_not_allowed']
