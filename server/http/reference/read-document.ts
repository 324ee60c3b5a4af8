/** The OpenAPI document as the reference understands it: calls, parameters, bodies, answers and errors. */
import { Type, type Static, type TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import type { Json } from './json.ts'
import { readSchema, type Field, type Schema } from './read-schema.ts'

const closed = { additionalProperties: false }
const shape = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, closed)
const text = Type.String({ minLength: 1 })
const anyJson = Type.Unsafe<Json>({})

const Header = shape({ description: text, schema: anyJson })
const Headers = Type.Record(Type.String(), Header)
const ErrorExample = shape({ summary: text, description: text, value: anyJson })
const Media = shape({
  schema: anyJson,
  example: Type.Optional(anyJson),
  examples: Type.Optional(Type.Record(Type.String(), ErrorExample)),
})
const Content = Type.Record(Type.String(), Media)
const Answer = shape({ description: text, headers: Headers, content: Content })
const AnswerRef = shape({ $ref: Type.String({ pattern: '^#/components/responses/' }) })
const Parameter = shape({
  name: text,
  in: Type.Enum(['path', 'query', 'header']),
  required: Type.Optional(Type.Boolean()),
  description: text,
  schema: anyJson,
})
const Operation = shape({
  operationId: text,
  tags: Type.Array(text, { minItems: 1, maxItems: 1 }),
  summary: text,
  description: text,
  parameters: Type.Optional(Type.Array(Parameter)),
  requestBody: Type.Optional(shape({ description: text, required: Type.Optional(Type.Boolean()), content: Content })),
  responses: Type.Record(Type.String(), Type.Union([Answer, AnswerRef])),
  security: Type.Array(shape({ key: Type.Array(text, { minItems: 1, maxItems: 1 }) })),
  'x-codeSamples': Type.Array(shape({ lang: text, label: text, source: text })),
})

/** The part of OpenAPI 3.1 that we use, closed: what stands in the document beside it would not be shown. */
const OpenApiDocument = shape({
  openapi: Type.Literal('3.1.0'),
  info: shape({ title: text, version: text, description: text }),
  servers: Type.Array(shape({ url: text, description: text }), { minItems: 1 }),
  components: shape({
    securitySchemes: shape({
      key: shape({ type: Type.Literal('http'), scheme: Type.Literal('bearer'), description: text }),
    }),
    schemas: Type.Record(Type.String(), anyJson),
    responses: Type.Record(Type.String(), Answer),
  }),
  paths: Type.Record(
    Type.String(),
    Type.Record(Type.String({ pattern: '^(get|post|put|patch|delete)$' }), Operation, closed),
  ),
  security: Type.Array(shape({ key: Type.Array(text) })),
  tags: Type.Array(shape({ name: text, description: text })),
})

export interface ReferenceParameter extends Field {
  readonly place: Static<typeof Parameter>['in']
}

export interface ReferenceHeader {
  readonly name: string
  readonly description: string
}

export interface ReferenceAnswer {
  readonly status: string
  readonly description: string
  readonly headers: readonly ReferenceHeader[]
  readonly type: string
  readonly schema: Schema
  readonly example: Json | undefined
}

export interface ReferenceError {
  readonly code: string
  readonly status: string
  readonly when: string
  readonly mend: string
  readonly body: Json
}

export interface ReferenceCall {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly group: string
  readonly summary: string
  readonly description: string
  readonly access: string
  readonly parameters: readonly ReferenceParameter[]
  readonly body: {
    readonly types: readonly string[]
    readonly schema: Schema
    readonly example: Json | undefined
  } | null
  readonly answer: ReferenceAnswer
  readonly errors: readonly ReferenceError[]
  readonly samples: readonly { readonly lang: string; readonly label: string; readonly source: string }[]
}

export interface Reference {
  readonly version: string
  readonly origin: string
  readonly groups: readonly { readonly name: string; readonly description: string }[]
  readonly calls: readonly ReferenceCall[]
  readonly objects: ReadonlyMap<string, Schema>
  /** Of all calls, each once. */
  readonly errors: readonly ReferenceError[]
}

type Answers = Readonly<Record<string, Static<typeof Answer>>>

const errorsIn = (status: string, { content }: Static<typeof Answer>): ReferenceError[] =>
  Object.values(content).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([code, { summary, description, value }]) => ({
      code,
      status,
      when: summary,
      mend: description,
      body: value,
    })),
  )

const answerIn = (id: string, responses: Answers): ReferenceAnswer => {
  const [status = '', answer] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? []
  const [type = '', media] = Object.entries(answer?.content ?? {})[0] ?? []
  if (answer === undefined || media === undefined) throw new Error(`${id} answers nothing`)
  return {
    status,
    description: answer.description,
    headers: Object.entries(answer.headers).map(([name, { description }]) => ({ name, description })),
    type,
    schema: readSchema(media.schema),
    example: media.example,
  }
}

const bodyIn = ({ requestBody }: Static<typeof Operation>): ReferenceCall['body'] => {
  const content = Object.entries(requestBody?.content ?? {})
  const [first] = content
  if (first === undefined) return null
  return { types: content.map(([type]) => type), schema: readSchema(first[1].schema), example: first[1].example }
}

const resolvedAnswers = (operation: Static<typeof Operation>, shared: Answers): Answers =>
  Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => {
      const found = '$ref' in answer ? shared[answer.$ref.slice('#/components/responses/'.length)] : answer
      if (found === undefined) throw new Error(`${operation.operationId} has no answer ${status}`)
      return [status, found] as const
    }),
  )

const callOf = (
  path: string,
  method: string,
  operation: Static<typeof Operation>,
  answers: Answers,
): ReferenceCall => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  path,
  group: operation.tags.join(),
  summary: operation.summary,
  description: operation.description,
  access: operation.security.flatMap(({ key }) => key).join(),
  parameters: (operation.parameters ?? []).map(({ name, in: place, required = false, description, schema }) => ({
    name,
    place,
    isRequired: required,
    schema: { ...readSchema(schema), description },
  })),
  body: bodyIn(operation),
  answer: answerIn(operation.operationId, answers),
  errors: Object.entries(answers).flatMap(([status, answer]) => errorsIn(status, answer)),
  samples: operation['x-codeSamples'],
})

export const readDocument = (document: Json): Reference => {
  if (!Check(OpenApiDocument, document)) {
    const [first] = Errors(OpenApiDocument, document)
    throw new Error(`the reference does not understand the document: ${first?.instancePath} ${first?.message}`)
  }
  const { info, servers, components, paths, tags } = document
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      callOf(path, method, operation, resolvedAnswers(operation, components.responses)),
    ),
  )
  const named = Object.entries(components.responses).flatMap(([name, answer]) =>
    errorsIn(name.split('.', 1).join(), answer),
  )
  const errors = new Map(named.map((error) => [error.code, error]))
  return {
    version: info.version,
    origin: servers.map(({ url }) => url)[0] ?? '',
    groups: tags,
    calls,
    objects: new Map(Object.entries(components.schemas).map(([title, schema]) => [title, readSchema(schema)])),
    errors: [...errors.values()].toSorted((one, other) => one.status.localeCompare(other.status)),
  }
}
