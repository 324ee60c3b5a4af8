import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ERRORS } from '#contract/error-table.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { MERCHANT_API } from '#contract/merchant/api.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { CALL_NOTES } from './call-notes.ts'
import { liftSchemas } from './components.ts'
import { describedCalls, ERROR_SCHEMA } from './described-calls.ts'
import { describedError } from './error-notes.ts'
import { typeHtml } from './field-rows.ts'
import { isObject, toJson, type Json, type JsonObject } from './json.ts'
import { assertShown, fieldsOf, titledIn, valueOf, type Schema } from './schema.ts'

const HOST = { host: 'localhost:3000' }

describe('the OpenAPI document of the merchant API', () => {
  let server: TestServer
  let document: JsonObject
  const calls = describedCalls()
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway() })
    const answer = toJson((await server.app.inject({ url: '/merchant/v1/openapi.json', headers: HOST })).json())
    if (!isObject(answer)) assert.fail()
    document = answer
  })

  /** Every object in the document with its place. */
  const objectsIn = (value: Json, place: string): [place: string, object: JsonObject][] => {
    if (Array.isArray(value)) return value.flatMap((each: Json, at) => objectsIn(each, `${place}/${at}`))
    if (!isObject(value)) return []
    return [[place, value], ...Object.entries(value).flatMap(([name, each]) => objectsIn(each, `${place}/${name}`))]
  }

  /** The operation of a call, as a program that reads the document finds it. */
  const operationOf = (path: string, method: string): JsonObject => {
    const paths = isObject(document['paths']) ? document['paths'] : {}
    const operation = isObject(paths[path]) ? paths[path][method.toLowerCase()] : undefined
    return isObject(operation) ? operation : assert.fail(`${method} ${path}`)
  }

  test('holds every call of the contract, each under its own name, and no other', () => {
    const paths = Object.entries(isObject(document['paths']) ? document['paths'] : {})
    const operations = paths.flatMap(([, methods]) => (isObject(methods) ? Object.values(methods) : []))
    const names = operations.map((operation) => (isObject(operation) ? operation['operationId'] : ''))
    assert.deepEqual(names.map(String).toSorted(), Object.keys(MERCHANT_API).toSorted())
    assert.deepEqual(Object.keys(CALL_NOTES).toSorted(), Object.keys(MERCHANT_API).toSorted())
    for (const { path, call, name } of calls) assert.equal(operationOf(path, call.method)['operationId'], name)
  })

  test('describes routes that the server has', () => {
    for (const { call } of calls)
      assert.ok(server.app.hasRoute({ method: call.method, url: MERCHANT_BASE + call.path }), call.path)
  })

  test('names errors, status and access of each call as the contract does', () => {
    for (const { path, call } of calls) {
      const { responses, security } = operationOf(path, call.method)
      const codes = objectsIn(responses ?? null, '').flatMap(([, { $ref }]) =>
        typeof $ref === 'string' ? $ref.split('.').slice(1) : [],
      )
      assert.deepEqual(codes.filter((code) => code in ERRORS).toSorted(), [...new Set(call.errors)].toSorted())
      assert.ok(isObject(responses) && String(call.status) in responses)
      assert.deepEqual(security, [{ key: [call.access] }])
    }
    for (const { errors } of calls) for (const { code, status } of errors) assert.equal(status, ERRORS[code].status)
  })

  test('describes every field that is sent or answered', () => {
    const undescribed = (place: string, schema: Schema): string[] => [
      ...(schema.items === undefined ? [] : undescribed(`${place}[]`, schema.items)),
      ...(schema.anyOf ?? []).flatMap((each) => undescribed(place, each)),
      ...[valueOf(schema) ?? {}].flatMap((value) => undescribedFields(`${place}.*`, value)),
      ...undescribedFields(place, schema),
    ]
    const undescribedFields = (place: string, schema: Schema): string[] =>
      fieldsOf(schema).flatMap(({ name, schema: field }) => [
        ...(isDescribed(field, schema.description) ? [] : [`${place}.${name}`]),
        ...(field.title === undefined ? undescribed(`${place}.${name}`, field) : []),
      ])
    /** An object that has a title is described with it, or by the words of the object around it. */
    const isDescribed = ({ title, description, anyOf = [] }: Schema, around = ''): boolean =>
      (title === undefined ? description !== undefined : around !== '') ||
      anyOf.some((each) => each.description !== undefined)
    const sent = calls.flatMap(({ name, body }) => (body === null ? [] : undescribed(name, body.schema)))
    const answers: readonly Schema[] = [ERROR_SCHEMA, ...calls.map(({ call }) => call.answer)]
    const titled = answers.flatMap(titledIn).flatMap(([title, schema]) => undescribed(title, schema))
    assert.deepEqual([...sent, ...undescribed('Error', ERROR_SCHEMA), ...titled], [])
    assert.deepEqual(undescribed('x', { type: 'object', properties: { y: { type: 'string' } } }), ['x.y'])
  })

  test('names the type of every body and every answer, and what a body must hold', () => {
    assert.deepEqual(
      calls
        .filter(({ answerType }) => answerType !== 'application/json')
        .map(({ name, answerType }) => [name, answerType]),
      [
        ['drawQrCode', 'image/svg+xml'],
        ['drawLinkQrCode', 'image/svg+xml'],
        ['exportMovements', 'text/csv'],
        ['exportFigures', 'text/csv'],
        ['exportCheckouts', 'text/csv'],
      ],
    )
    const bodyOf = (name: string): Json | undefined => {
      const { path, call } = calls.find((each) => each.name === name) ?? assert.fail(name)
      const body = operationOf(path, call.method)['requestBody']
      return isObject(body) ? body['content'] : undefined
    }
    assert.deepEqual(Object.keys(bodyOf('replacePicture') ?? {}), ['image/png', 'image/jpeg', 'image/webp'])
    assert.equal(bodyOf('cancelMerchantCheckout'), undefined)
    const created = JSON.stringify(bodyOf('createCheckout'))
    assert.match(created, /^\{"application\/json":\{"schema":\{"type":"object","required":\["amount"\]/)
    assert.match(created, /"amount":\{"type":"integer","minimum":1,"maximum":9999999/)
  })

  test('names the headers of every kind of answer', () => {
    const text = JSON.stringify(document)
    for (const header of ['Idempotency-Key', 'Request-Id', 'Retry-After', 'Idempotent-Replayed'])
      assert.ok(text.includes(`"${header}"`), header)
    for (const [place, object] of objectsIn(document, ''))
      if (isObject(object['headers'])) assert.ok('Request-Id' in object['headers'], place)
  })

  test('leads every reference somewhere, and says nothing twice', () => {
    const refs = objectsIn(document, '').flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
    assert.ok(refs.length > 50)
    for (const ref of refs) {
      const found = ref
        .slice(2)
        .split('/')
        .reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), document)
      assert.ok(isObject(found), ref)
    }
    const titles = objectsIn(document['paths'] ?? null, '').filter(([, object]) => 'title' in object)
    assert.deepEqual(titles, [])
  })

  test('says nothing of cards and keys, and of orders alone what a reconciliation could not match', () => {
    const others = JSON.stringify(document, (name, value: unknown) =>
      /reconciliation/i.test(name) ? undefined : value,
    )
    assert.doesNotMatch(JSON.stringify(document), /cvc|3ds|sk_test_[A-Za-z0-9]|receiptEmail/)
    assert.doesNotMatch(others, /cvc|3ds|orderCode|sk_test_[A-Za-z0-9]|receiptEmail/)
  })

  test('has no error without its note', () => {
    assert.throws(() => describedError('card_declined'), /error-notes/)
  })
})

test('a schema that the reference cannot show is refused', () => {
  const wrong: readonly object[] = [
    { type: 'string', format: 'uuid' },
    { type: 'string', minimum: 1 },
    { type: 'object', patternProperties: {} },
    { enum: ['a'], maxLength: 1 },
    { type: 'text' },
    { allOf: [] },
    { surprise: 1 },
  ]
  for (const schema of wrong) assert.throws(() => assertShown(schema), JSON.stringify(schema))
  assert.throws(() => typeHtml({ anyOf: [{ type: 'string' }, { type: 'text' }] }), /text/)
})

test('schemas of one title are one schema', () => {
  const schemas = new Map<string, Json>()
  const one = { type: 'object', title: 'One', properties: { title: { type: 'string' } } }
  assert.deepEqual(liftSchemas([one, one], schemas), [
    { $ref: '#/components/schemas/One' },
    { $ref: '#/components/schemas/One' },
  ])
  assert.deepEqual([...schemas], [['One', { type: 'object', properties: { title: { type: 'string' } } }]])
  assert.throws(() => liftSchemas({ ...one, properties: {} }, schemas), /two schemas are called One/)
})
