import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ERRORS } from '#contract/errors.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { CALL_NOTES } from './call-notes.ts'
import { MERCHANT_API, type AnyMerchantCall } from '#contract/merchant/api.ts'
import { callAt, openApiAddress } from './call-table.ts'
import { liftSchemas } from './components.ts'
import { describedError } from './error-notes.ts'
import { isObject, toJson, type Json, type JsonObject } from './json.ts'
import { completeDocument } from './openapi.ts'
import { readDocument, type Reference } from './read-document.ts'
import { readSchema, type Schema } from './read-schema.ts'

const HOST = { host: 'localhost:3000' }

describe('the OpenAPI document of the merchant API', () => {
  let server: TestServer
  let document: JsonObject
  let reference: Reference
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway() })
    const answer = toJson((await server.app.inject({ url: '/merchant/v1/openapi.json', headers: HOST })).json())
    if (!isObject(answer)) assert.fail()
    document = answer
    reference = readDocument(document)
  })

  /** Every object in the document with its place. */
  const objectsIn = (value: Json, place: string): [place: string, object: JsonObject][] => {
    if (Array.isArray(value)) return value.flatMap((each: Json, at) => objectsIn(each, `${place}/${at}`))
    if (!isObject(value)) return []
    return [[place, value], ...Object.entries(value).flatMap(([name, each]) => objectsIn(each, `${place}/${name}`))]
  }

  test('holds every call of the contract, each under its own name, and no other', () => {
    const calls: Readonly<Record<string, AnyMerchantCall>> = MERCHANT_API
    assert.deepEqual(
      reference.calls.map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`).toSorted(),
      Object.entries(calls)
        .map(([name, call]) => `${name} ${openApiAddress(call)}`)
        .toSorted(),
    )
    assert.deepEqual(Object.keys(CALL_NOTES).toSorted(), Object.keys(MERCHANT_API).toSorted())
  })

  test('names errors, status and access of each call as the contract does', () => {
    for (const { method, path, errors, answer, access } of reference.calls) {
      const { call } = callAt(method.toLowerCase(), path)
      assert.deepEqual(errors.map(({ code }) => code).toSorted(), [...new Set(call.errors)].toSorted())
      for (const { code, status } of errors)
        assert.equal(Number(status), Object.entries(ERRORS).find(([name]) => name === code)?.[1].status)
      assert.deepEqual([Number(answer.status), access], [call.status, call.access])
    }
  })

  test('describes every field that is sent or answered', () => {
    const undescribed = (place: string, schema: Schema): string[] => {
      if (schema.kind === 'list') return undescribed(`${place}[]`, schema.item)
      if (schema.kind === 'map') return undescribed(`${place}.*`, schema.value)
      if (schema.kind === 'either') return schema.schemas.flatMap((each) => undescribed(place, each))
      if (schema.kind !== 'object') return []
      return schema.fields.flatMap(({ name, schema: field }) => [
        ...(field.description === '' && !isDescribedElsewhere(field, schema.description) ? [`${place}.${name}`] : []),
        ...undescribed(`${place}.${name}`, field),
      ])
    }
    /** A reference to an object that has a name holds no words of its own: those of the object around it tell what it is. */
    const isDescribedElsewhere = (schema: Schema, around: string): boolean =>
      (schema.kind === 'named' && around !== '') ||
      (schema.kind === 'either' && schema.schemas.some(({ description }) => description !== ''))
    const found = [
      ...reference.calls.flatMap(({ id, body }) => (body === null ? [] : undescribed(id, body.schema))),
      ...[...reference.objects].flatMap(([title, schema]) => undescribed(title, schema)),
    ]
    assert.deepEqual(found, [])
    assert.deepEqual(undescribed('x', readSchema({ type: 'object', properties: { y: { type: 'string' } } })), ['x.y'])
  })

  test('names the type of every body and every answer, and what a body must hold', () => {
    const answered = reference.calls.filter(({ answer }) => answer.type !== 'application/json')
    assert.deepEqual(
      answered.map(({ id, answer }) => [id, answer.type]),
      [
        ['drawQrCode', 'image/svg+xml'],
        ['exportMovements', 'text/csv'],
      ],
    )
    const bodyOf = (name: string) => reference.calls.find(({ id }) => id === name)?.body
    assert.deepEqual(bodyOf('replacePicture')?.types, ['image/png', 'image/jpeg', 'image/webp'])
    assert.equal(bodyOf('cancelMerchantCheckout'), null)
    const { schema, types } = bodyOf('createCheckout') ?? assert.fail()
    if (schema.kind !== 'object') assert.fail()
    assert.deepEqual(types, ['application/json'])
    assert.deepEqual(
      schema.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      ['amount'],
    )
    assert.match(JSON.stringify(schema.fields[0]), /1 to 9,999,999/)
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

  test('says nothing of cards, orders and keys', () => {
    assert.doesNotMatch(JSON.stringify(document), /cvc|3ds|orderCode|sk_test_[A-Za-z0-9]|receiptEmail/)
  })

  test('is refused by the reference where something stands in it that the reference would not show', () => {
    const call = 'paths//merchant/v1/checkouts/post'
    const places = [
      '',
      'info',
      'components',
      'tags/0',
      'servers/0',
      call,
      `${call}/parameters/0`,
      `${call}/requestBody`,
    ]
    const created = `${call}/responses/201`
    const answers = [
      created,
      `${created}/content/application/json`,
      `${created}/headers/Request-Id`,
      `${call}/responses/401`,
    ]
    const found = new Map(objectsIn(document, ''))
    for (const place of [...places, ...answers, 'components/schemas/Checkout/properties/amount']) {
      const object = found.get(place === '' ? '' : `/${place}`) ?? assert.fail(place)
      Object.assign(object, { surprise: 1 })
      assert.throws(() => readDocument(document), place)
      Reflect.deleteProperty(object, 'surprise')
    }
    readDocument(document)
  })

  test('is not made of a route that has no note', () => {
    const routed = { paths: { '/merchant/v1/novelties': { get: {} } } }
    assert.throws(() => completeDocument(routed), /novelties is not in server\/http\/reference\/call-table\.ts/)
    assert.throws(() => describedError('card_declined'), /error-notes/)
  })
})

test('a schema that the reference cannot show is refused', () => {
  const wrong: JsonObject[] = [
    { type: 'string', format: 'uuid' },
    { type: 'string', minimum: 1 },
    { type: 'array' },
    { type: ['string', 'null'] },
    { allOf: [] },
    { type: 'object', properties: { a: { type: 'text' } } },
    { $ref: '#/somewhere' },
  ]
  for (const schema of wrong) assert.throws(() => readSchema(schema), JSON.stringify(schema))
})

test('schemas of one title are one schema', () => {
  const schemas = new Map<string, JsonObject>()
  const one = { type: 'object', title: 'One', properties: { title: { type: 'string' } } }
  assert.deepEqual(liftSchemas([one, one], schemas), [
    { $ref: '#/components/schemas/One' },
    { $ref: '#/components/schemas/One' },
  ])
  assert.deepEqual([...schemas], [['One', { type: 'object', properties: { title: { type: 'string' } } }]])
  assert.throws(() => liftSchemas({ ...one, properties: {} }, schemas), /two schemas are called One/)
})
