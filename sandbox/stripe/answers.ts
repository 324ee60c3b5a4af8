/** Answers of the double: an object or an error in Stripe's shape, and whether it is kept under the idempotency key. */
import type { JsonObject } from '../http/json.ts'

/** How the answer goes out: as it is, or not at all, as on a day when a network or Stripe fails. */
type Delivery =
  | { readonly kind: 'answer' }
  | { readonly kind: 'drop_connection' }
  | { readonly kind: 'hold_connection'; readonly holdMs: number }

export interface Answer {
  readonly status: number
  readonly body: JsonObject
  /**
   * Stored under the idempotency key: results are saved only after the execution of an endpoint begins, not where
   * parameters fail validation or the request conflicts with another (API reference, Idempotent requests).
   */
  readonly began: boolean
  readonly delivery: Delivery
}

const ANSWER: Delivery = { kind: 'answer' }

export const ok = (body: JsonObject, delivery: Delivery = ANSWER): Answer => ({
  status: 200,
  body,
  began: true,
  delivery,
})

/** Nothing was executed, and the caller hears nothing. */
export const LOST: Answer = { status: 0, body: {}, began: false, delivery: { kind: 'drop_connection' } }

interface ErrorFacts {
  readonly type?: string
  readonly code?: string
  readonly param?: string
  readonly [name: string]: unknown
}

const errorBody = (message: string, { type = 'invalid_request_error', ...facts }: ErrorFacts): JsonObject => ({
  error: { type, message, ...facts },
})

/** Refused before anything was executed. */
export const refused = (status: number, message: string, facts: ErrorFacts = {}): Answer => ({
  status,
  body: errorBody(message, facts),
  began: false,
  delivery: ANSWER,
})

/** Executed, with an error as its result. */
export const failed = (status: number, message: string, facts: ErrorFacts = {}): Answer => ({
  ...refused(status, message, facts),
  began: true,
})

/** Message and code of `resource_missing` (docs.stripe.com/error-codes). */
export const missing = (kind: string, id: string, facts: { status?: number; param?: string } = {}): Answer =>
  refused(facts.status ?? 404, `No such ${kind}: '${id.slice(0, 40).replace(/\d{12,}/g, '…')}'`, {
    code: 'resource_missing',
    param: facts.param ?? 'id',
  })
