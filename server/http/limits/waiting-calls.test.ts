import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWaitingCalls, WAITING_CALLS_MAX } from './waiting-calls.ts'

test('twenty calls about one order wait at once, a further one is refused, and one that ends makes room', async () => {
  const waitingCalls = countWaitingCalls()
  const gates = Array.from({ length: WAITING_CALLS_MAX }, () => Promise.withResolvers<{ readonly paid: true }>())
  const calls = gates.map(({ promise }) => waitingCalls.limit('order', () => promise))
  const next = () => waitingCalls.limit('order', async () => ({ paid: true }))
  assert.deepEqual(await next(), { refused: 'too_many_calls' })
  assert.deepEqual(await waitingCalls.limit('another', async () => ({ paid: true })), { paid: true })
  gates[0]?.resolve({ paid: true })
  await calls[0]
  assert.deepEqual(await next(), { paid: true })
  for (const { resolve } of gates) resolve({ paid: true })
  await Promise.all(calls)
})

test('a call that fails makes room too', async () => {
  const waitingCalls = countWaitingCalls()
  const fail = () => waitingCalls.limit('order', () => Promise.reject(new Error('lost')))
  for (let call = 0; call <= WAITING_CALLS_MAX; call += 1) await assert.rejects(fail, /lost/)
})
