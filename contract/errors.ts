/** Refusals: why a call was refused, as a value and as the body of an answer. The codes: error-table.ts. */
import { ERRORS, type ErrorCode } from './error-table.ts'

export type ErrorParams = Record<string, string | number>

/** Refusals are values: a rule answers one instead of throwing. */
export interface Refusal {
  readonly refused: ErrorCode
  readonly params?: ErrorParams
  /** Replaces the message of the table where it can say exactly what is wrong. */
  readonly message?: string
}

export const refuse = (code: ErrorCode, params?: ErrorParams, message?: string): Refusal => ({
  refused: code,
  ...(params === undefined ? {} : { params }),
  ...(message === undefined ? {} : { message }),
})

/** `mend` continues the sentence that begins with the field's name: what is wrong, and what to send instead. */
export const refuseField = (field: string, mend: string): Refusal =>
  refuse('invalid_field', { field }, `${field} ${mend}`)

export const isRefusal = (value: object): value is Refusal => 'refused' in value

export interface ErrorBody {
  readonly type: string
  readonly code: string
  readonly message: string
  readonly params: ErrorParams
}

export const errorBody = ({ refused, params = {}, message }: Refusal): ErrorBody => ({
  type: ERRORS[refused].type,
  code: refused,
  message: message ?? ERRORS[refused].message,
  params,
})
