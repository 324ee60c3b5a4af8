import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENTS } from './bench-server.ts'
import { countFor, figuresNamed } from './measure-operation.ts'

test('a round has as many operations as fit into its seconds, at least one for each client, and no more than there may be', () => {
  assert.equal(countFor(1000, 2, 100_000), 2000)
  assert.equal(countFor(1, 2, 100_000), CLIENTS)
  assert.equal(countFor(1000, 2, 500), 500)
})

test('figures are named after their operation', () => {
  assert.deepEqual(figuresNamed('SQLite read', { perSecond: 1234.56 }), {
    'SQLite read: perSecond': 1235,
  })
})
