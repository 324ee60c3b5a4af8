/** OpenAPI document of the merchant API: the calls of the contract, with everything that a reader must know beside them. */
import { MERCHANT_BASE } from '#contract/paths.ts'
import { liftSchemas, refTo } from './components.ts'
import { describedCalls, ERROR_SCHEMA, REQUEST_ID, type DescribedCall, type Parameter } from './described-calls.ts'
import { describedError, UNNAMED_ERRORS, type DescribedError } from './error-notes.ts'
import { toJson, type Json, type JsonObject } from './json.ts'
import { GROUPS } from './note.ts'

const KEY = 'key'
const JSON_TYPE = 'application/json'

export interface ApiFacts {
  readonly release: string
  readonly origin: string
}

const headersOf = (descriptions: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

const RETRY_AFTER = {
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 1 } },
}

const errorAnswer = (status: number, errors: readonly DescribedError[]): JsonObject => ({
  description: errors.map(({ code, when }) => `${code}: ${when}`).join('\n'),
  headers: { ...headersOf(REQUEST_ID), ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
  content: {
    [JSON_TYPE]: {
      schema: refTo('Error'),
      examples: Object.fromEntries(
        errors.map(({ code, when, mend, body }) => [code, { summary: when, description: mend, value: { ...body } }]),
      ),
    },
  },
})

/** Error answers that are the same for many calls, each once, by their status and codes. */
type ErrorAnswers = Map<string, JsonObject>

const errorAnswerRef = (status: number, errors: readonly DescribedError[], known: ErrorAnswers): JsonObject => {
  const name = [status, ...errors.map(({ code }) => code)].join('.')
  known.set(name, errorAnswer(status, errors))
  return { $ref: `#/components/responses/${name}` }
}

const answersOf = ({ call, note, errors, ...described }: DescribedCall, known: ErrorAnswers): JsonObject => ({
  [call.status]: {
    description: note.answers,
    headers: headersOf(described.answerHeaders),
    content: { [described.answerType]: { schema: toJson(call.answer), example: note.example.answer } },
  },
  ...Object.fromEntries(
    [...Map.groupBy(errors, ({ status }) => status)].map(([status, same]) => [
      status,
      errorAnswerRef(status, same, known),
    ]),
  ),
})

const parameterOf = ({ name, place, isRequired, schema }: Parameter): JsonObject => {
  const { description = '', ...rest } = schema
  return { schema: toJson(rest), in: place, name, required: isRequired, description }
}

const bodyOf = ({ body, note: { example } }: DescribedCall): JsonObject => {
  if (body === null) return {}
  const description = example.upload === undefined ? 'One JSON object.' : 'The bytes of the file.'
  const media = { schema: toJson(body.schema), ...(example.body === undefined ? {} : { example: example.body }) }
  const content = Object.fromEntries(body.types.map((type) => [type, media]))
  return { requestBody: { required: true, content, description } }
}

const operationOf = (described: DescribedCall, known: ErrorAnswers): JsonObject => {
  const { name, call, note, parameters, samples } = described
  return {
    operationId: name,
    tags: [note.group],
    summary: call.summary,
    description: note.description,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterOf) }),
    ...bodyOf(described),
    responses: answersOf(described, known),
    security: [{ [KEY]: [call.access] }],
    'x-codeSamples': samples.map((sample) => ({ ...sample })),
  }
}

export const openApiDocument = ({ release, origin }: ApiFacts): JsonObject => {
  const answers: ErrorAnswers = new Map()
  const byPath = Map.groupBy(describedCalls(), ({ path }) => path)
  const paths = [...byPath].map(([path, calls]): [string, JsonObject] => [
    path,
    Object.fromEntries(calls.map((each) => [each.call.method.toLowerCase(), operationOf(each, answers)])),
  ])
  for (const code of UNNAMED_ERRORS) {
    const error = describedError(code)
    errorAnswerRef(error.status, [error], answers)
  }
  const schemas = new Map<string, Json>([['Error', toJson(ERROR_SCHEMA)]])
  const lifted = liftSchemas(Object.fromEntries(paths), schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kaikei merchant API',
      version: release,
      description: `Create checkouts, refund them and read what became of them. For people: ${MERCHANT_BASE}/reference.`,
    },
    components: {
      securitySchemes: {
        [KEY]: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, sk_test_… or sk_live_…. The access that a call needs is named with it: read, sales or full; each may do what those before it may.',
        },
      },
      schemas: Object.fromEntries(schemas),
      responses: Object.fromEntries(answers),
    },
    paths: lifted,
    servers: [{ url: origin, description: 'This server.' }],
    security: [{ [KEY]: [] }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
  }
}
