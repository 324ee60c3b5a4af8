import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { serializerCompiler } from './serializers.ts'

const compile = (schema: object) => serializerCompiler({ schema, method: 'GET', url: '/' })

test('a serializer writes the fields of its schema and no others', () => {
  const serialize = compile(Type.Object({ id: Type.String() }))
  assert.equal(serialize({ id: 'a', number: '4242424242424242' }), '{"id":"a"}')
})

test('a schema has one serializer in a process, and another schema another one', () => {
  const schema = Type.Object({ code: Type.String() })
  assert.equal(compile(schema), compile(schema))
  assert.notEqual(compile(Type.Object({ code: Type.Integer() })), compile(schema))
})
