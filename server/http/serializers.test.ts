import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type TSchema } from 'typebox'
import { buildOnceByShape } from './serializers.ts'

const routeOf = (schema: TSchema) => ({ schema, method: 'GET', url: '/' })

test('a serializer writes the fields of its schema and no others', async () => {
  const compile = await buildOnceByShape()
  const serialize = compile(routeOf(Type.Object({ id: Type.String() })))
  assert.equal(serialize({ id: 'a', number: '4242424242424242' }), '{"id":"a"}')
})

test('answers that differ in their descriptions alone share one serializer', async () => {
  const compile = await buildOnceByShape()
  const one = compile(routeOf(Type.Object({ code: Type.String({ description: 'a' }) }, { description: 'b' })))
  assert.equal(compile(routeOf(Type.Object({ code: Type.String() }))), one)
})

test('answers that differ in a field, in its type or in whether it must be there have serializers of their own', async () => {
  const compile = await buildOnceByShape()
  const schemas = [
    Type.Object({ code: Type.String() }),
    Type.Object({ code: Type.Integer() }),
    Type.Object({ code: Type.Optional(Type.String()) }),
    Type.Object({ code: Type.String(), id: Type.String() }),
    Type.Object({ code: Type.String(), description: Type.String() }),
  ]
  const serializers = schemas.map((schema) => compile(routeOf(schema)))
  assert.equal(new Set(serializers).size, schemas.length)
  assert.equal(serializers.at(-1)?.({ code: 'a', description: 'b' }), '{"code":"a","description":"b"}')
})
