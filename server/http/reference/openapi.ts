/** OpenAPI document of the merchant API: what its routes validate, with everything that a reader must know beside it. */
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { NoBody } from '#contract/calls.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { CALL_NOTES } from './call-notes.ts'
import type { AnyMerchantCall } from '#contract/merchant/api.ts'
import { callAt } from './call-table.ts'
import { liftSchemas, refTo } from './components.ts'
import { describedError, UNNAMED_ERRORS } from './error-notes.ts'
import { curlText, phpText, typescriptText } from './example-texts.ts'
import { isObject, toJson, type Json, type JsonObject } from './json.ts'
import { GROUPS, type CallNote } from './note.ts'

const KEY = 'key'
const JSON_TYPE = 'application/json'

export interface ApiFacts {
  readonly release: string
  readonly origin: string
}

/** What @fastify/swagger is told; it adds the routes with their parameters and bodies. */
export const swaggerOptions = ({ release, origin }: ApiFacts): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Kaikei merchant API',
      version: release,
      description: `Create checkouts, refund them and read what became of them. For people: ${MERCHANT_BASE}/reference.`,
    },
    servers: [{ url: origin, description: 'This server.' }],
    components: {
      securitySchemes: {
        [KEY]: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, sk_test_… or sk_live_…. The access that a call needs is named with it: read, sales or full; each may do what those before it may.',
        },
      },
    },
    security: [{ [KEY]: [] }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
  },
})

const ERROR_SCHEMA: JsonObject = {
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

const REQUEST_ID = {
  'Request-Id': {
    description: 'The random name of this answer. The operator finds it in the log.',
    schema: { type: 'string' },
  },
}
const RETRY_AFTER = {
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 1 } },
}

const headersOf = (descriptions: Readonly<Record<string, string>> = {}): JsonObject =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const errorAnswer = (status: number, codes: readonly ErrorCode[]): JsonObject => ({
  description: codes.map((code) => `${code}: ${describedError(code).when}`).join('\n'),
  headers: { ...REQUEST_ID, ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
  content: {
    [JSON_TYPE]: {
      schema: refTo('Error'),
      examples: Object.fromEntries(
        codes.map((code) => {
          const { when, mend, body } = describedError(code)
          return [code, { summary: when, description: mend, value: { ...body } }]
        }),
      ),
    },
  },
})

/** The schema by which the route writes its answer. */
const answerSchema = ({ status, contentType = JSON_TYPE }: AnyMerchantCall, responses: Json | undefined): Json => {
  const answer = isObject(responses) ? responses[status] : undefined
  const content = isObject(answer) ? answer['content'] : undefined
  const media = isObject(content) ? content[contentType] : undefined
  if (!isObject(media) || media['schema'] === undefined) throw new Error(`the ${contentType} answer was not described`)
  return media['schema']
}

/** Error answers that are the same for many calls, each once, by their status and codes. */
type ErrorAnswers = Map<string, JsonObject>

const errorAnswerRef = (status: number, codes: readonly ErrorCode[], known: ErrorAnswers): JsonObject => {
  const name = [status, ...codes].join('.')
  known.set(name, errorAnswer(status, codes))
  return { $ref: `#/components/responses/${name}` }
}

const answersOf = (call: AnyMerchantCall, note: CallNote, routed: JsonObject, known: ErrorAnswers): JsonObject => {
  const codes = [...new Set(call.errors)]
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((one, other) => one - other)
  const { contentType = JSON_TYPE } = call
  return {
    [call.status]: {
      description: note.answers,
      headers: { ...REQUEST_ID, ...headersOf(note.answerHeaders) },
      content: { [contentType]: { schema: answerSchema(call, routed['responses']), example: note.example.answer } },
    },
    ...Object.fromEntries(
      statuses.map((status) => {
        const same = codes.filter((code) => ERRORS[code].status === status)
        return [status, errorAnswerRef(status, same, known)] as const
      }),
    ),
  }
}

const headerName = (name: string): string =>
  name.replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())

const parametersOf = (parameters: Json | undefined): Json[] =>
  !Array.isArray(parameters)
    ? []
    : parameters.map((each: Json) => {
        if (!isObject(each) || each['in'] !== 'header') return each
        const name = typeof each['name'] === 'string' ? headerName(each['name']) : ''
        // Optional in its schema, so that its absence is answered by a code of its own.
        return { ...each, name, ...(name === 'If-Match' ? { required: true } : {}) }
      })

const bodyOf = (call: AnyMerchantCall, { example }: CallNote, requestBody: Json | undefined): JsonObject => {
  if (call.body === NoBody || !isObject(requestBody) || !isObject(requestBody['content'])) return {}
  const described = { description: example.upload === undefined ? 'One JSON object.' : 'The bytes of the file.' }
  const { body } = example
  const content = Object.entries(requestBody['content']).map(
    ([type, media]) =>
      [type, { ...(isObject(media) ? media : {}), ...(body === undefined ? {} : { example: body }) }] as const,
  )
  return { requestBody: { ...requestBody, ...described, content: Object.fromEntries(content) } }
}

const operationOf = (method: string, path: string, routed: JsonObject, known: ErrorAnswers): JsonObject => {
  const { name, call } = callAt(method, path)
  const note = CALL_NOTES[name]
  const parameters = parametersOf(routed['parameters'])
  return {
    operationId: name,
    tags: [note.group],
    summary: call.summary,
    description: note.description,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...bodyOf(call, note, routed['requestBody']),
    responses: answersOf(call, note, routed, known),
    security: [{ [KEY]: [call.access] }],
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curlText(call, note.example) },
      { lang: 'TypeScript', label: 'TypeScript', source: typescriptText(call, note.example) },
      { lang: 'PHP', label: 'PHP', source: phpText(call, note.example) },
    ],
  }
}

const mapEntries = (object: Json | undefined, change: (name: string, value: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(object) ? object : {}).map(([name, value]) => [
      name,
      change(name, isObject(value) ? value : {}),
    ]),
  )

/** The whole document, from what @fastify/swagger has read of the routes. */
export const completeDocument = (routed: object): JsonObject => {
  const document = toJson(routed)
  if (!isObject(document)) throw new Error('the routes were not described')
  const answers: ErrorAnswers = new Map()
  const paths = mapEntries(document['paths'], (path, methods) =>
    mapEntries(methods, (method, each) => operationOf(method, path, each, answers)),
  )
  for (const code of UNNAMED_ERRORS) errorAnswerRef(ERRORS[code].status, [code], answers)
  const schemas = new Map<string, JsonObject>([['Error', ERROR_SCHEMA]])
  const lifted = liftSchemas(paths, schemas)
  const securitySchemes = isObject(document['components']) ? (document['components']['securitySchemes'] ?? {}) : {}
  return {
    ...document,
    components: { securitySchemes, schemas: Object.fromEntries(schemas), responses: Object.fromEntries(answers) },
    paths: lifted,
  }
}
