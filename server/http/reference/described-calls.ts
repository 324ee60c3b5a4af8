/** Described calls: each call of the merchant API with its note, errors and example texts. The reference and the OpenAPI document are both drawn from these. */
import type { MerchantCallName } from '#contract/access.ts'
import { NoBody } from '#contract/calls.ts'
import { ERRORS } from '#contract/error-table.ts'
import { MERCHANT_API, type AnyMerchantCall } from '#contract/merchant/api.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { CALL_NOTES } from './call-notes.ts'
import { describedError, UNNAMED_ERRORS, type DescribedError } from './error-notes.ts'
import { curlText, phpText, typescriptText } from './example-texts.ts'
import type { CallNote } from './note.ts'
import { fieldsOf, type Field, type Schema } from './schema.ts'

export interface Parameter extends Field {
  readonly place: 'query' | 'path' | 'header'
}

export interface DescribedCall {
  readonly name: string
  readonly call: AnyMerchantCall
  readonly note: CallNote
  /** As OpenAPI writes it, such as `/merchant/v1/checkouts/{checkoutId}`. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Null where the call takes none. Several types: the bytes of a file. */
  readonly body: { readonly types: readonly string[]; readonly schema: Schema } | null
  readonly answerType: string
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly errors: readonly DescribedError[]
  readonly samples: readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

/** The header of every answer. */
export const REQUEST_ID = { 'Request-Id': 'The random name of this answer. The operator finds it in the log.' }

const JSON_TYPE = 'application/json'

const headerName = (name: string): string =>
  name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())

const parametersOf = ({ query, params, headers }: AnyMerchantCall): Parameter[] => [
  ...fieldsOf(query ?? {}).map((field) => ({ ...field, place: 'query' as const })),
  ...fieldsOf(params).map((field) => ({ ...field, place: 'path' as const })),
  ...fieldsOf(headers ?? {}).map((field) => ({
    ...field,
    place: 'header' as const,
    name: headerName(field.name),
    // Optional in its schema, so that its absence is answered by a code of its own.
    isRequired: field.name === 'if-match',
  })),
]

const bodyOf = ({ body }: AnyMerchantCall): DescribedCall['body'] => {
  if (body === NoBody) return null
  const schema: Schema = body
  return schema.content === undefined
    ? { types: [JSON_TYPE], schema }
    : { types: Object.keys(schema.content), schema: {} }
}

const byStatus = (one: DescribedError, other: DescribedError): number => one.status - other.status

const describe = (name: MerchantCallName): DescribedCall => {
  const call = MERCHANT_API[name]
  const note = CALL_NOTES[name]
  const { example } = note
  return {
    name,
    call,
    note,
    path: MERCHANT_BASE + call.path.replaceAll(/:(\w+)/g, '{$1}'),
    parameters: parametersOf(call),
    body: bodyOf(call),
    answerType: call.contentType ?? JSON_TYPE,
    answerHeaders: { ...REQUEST_ID, ...note.answerHeaders },
    errors: [...new Set(call.errors)].map(describedError).toSorted(byStatus),
    samples: [
      { lang: 'Shell', label: 'curl', source: curlText(call, example) },
      { lang: 'TypeScript', label: 'TypeScript', source: typescriptText(call, example) },
      { lang: 'PHP', label: 'PHP', source: phpText(call, example) },
    ],
  }
}

const isCallName = (name: string): name is MerchantCallName => Object.hasOwn(MERCHANT_API, name)

/** In the order of contract/merchant/api.ts. */
export const describedCalls = (): readonly DescribedCall[] => Object.keys(MERCHANT_API).filter(isCallName).map(describe)

/** Each error that a caller can get, once, by its status. */
export const errorsOf = (calls: readonly DescribedCall[]): readonly DescribedError[] => {
  const all = [...calls.flatMap(({ errors }) => errors), ...UNNAMED_ERRORS.map(describedError)]
  return [...new Map(all.map((error) => [error.code, error])).values()].toSorted(byStatus)
}

/** The shape of every error answer. */
export const ERROR_SCHEMA = {
  type: 'object',
  required: ['type', 'code', 'message', 'params'],
  properties: {
    type: {
      enum: [...new Set(Object.values(ERRORS).map(({ type }) => type))],
      description: 'The kind of error, for programs that handle many alike.',
    },
    code: { type: 'string', description: 'The error by its name. Decide by this.' },
    message: { type: 'string', description: 'What is wrong and what to do, for a developer. It may change.' },
    params: {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }], description: 'A fact about the error.' },
      description: 'Facts about the error, by name.',
    },
  },
}
