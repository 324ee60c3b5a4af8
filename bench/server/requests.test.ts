import assert from 'node:assert/strict'
import { isIPv4 } from 'node:net'
import { test } from 'node:test'
import { addressOf, mixedOperation } from './requests.ts'

test('shoppers of a hundred thousand payments come from as many addresses', () => {
  const addresses = new Set(Array.from({ length: 100_000 }, (_, place) => addressOf(place)))
  assert.equal(addresses.size, 100_000)
  assert.ok([...addresses].every(isIPv4))
})

test('of a thousand mixed operations ten are payments, and every operation is among them', () => {
  const counts = Map.groupBy(
    Array.from({ length: 1000 }, (_, place) => mixedOperation(place)),
    (operation) => operation,
  )
  const sizes = ['payment', 'document', 'create', 'read'] as const
  assert.deepEqual(
    sizes.map((operation) => counts.get(operation)?.length),
    [10, 50, 100, 840],
  )
})
