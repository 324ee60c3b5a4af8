/** Error answers: the JSON body of a refused call. */
import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'

export interface ErrorBody {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly params: { readonly field?: string; readonly status?: string }
}

export const statusAndCode = (answer: LightMyRequestResponse): [status: number, code: string] => [
  answer.statusCode,
  answer.json<ErrorBody>().code,
]

/** Fails unless the answer names this field as invalid and does not repeat the value that was sent. */
export const assertInvalidField = (answer: LightMyRequestResponse, field: string, sent?: unknown): void => {
  const { code, message, params } = answer.json<ErrorBody>()
  assert.deepEqual([answer.statusCode, code, params.field], [400, 'invalid_field', field], answer.body)
  assert.ok(message.startsWith(`${field} `), message)
  if (typeof sent === 'string' && sent.length > 3) assert.ok(!answer.body.includes(sent), answer.body)
}
