import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageOf } from './message-of.ts'

test('what kept the server from starting is told in the error’s own words, all of them where there are several', () => {
  assert.equal(messageOf(new Error('no such file')), 'no such file')
  const both = new AggregateError([new Error('::1 refused'), new AggregateError([new Error('127.0.0.1 refused'), 'x'])])
  assert.equal(messageOf(both), '::1 refused, 127.0.0.1 refused, x')
  for (const thrown of ['plain words', undefined, 7]) assert.equal(messageOf(thrown), String(thrown))
})
