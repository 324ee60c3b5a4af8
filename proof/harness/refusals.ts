import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'

export interface ErrorBody {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly params: { readonly field?: string; readonly status?: string }
}

export const codeOf = (answer: LightMyRequestResponse): [status: number, code: string] => [
  answer.statusCode,
  answer.json<ErrorBody>().code,
]

/** The answer refuses the field by its name and says nothing of what was sent in it. */
export const assertNames = (answer: LightMyRequestResponse, field: string, sent?: unknown): void => {
  const { code, message, params } = answer.json<ErrorBody>()
  assert.deepEqual([answer.statusCode, code, params.field], [400, 'invalid_field', field], answer.body)
  assert.ok(message.startsWith(`${field} `), message)
  if (typeof sent === 'string' && sent.length > 3) assert.ok(!answer.body.includes(sent), answer.body)
}
