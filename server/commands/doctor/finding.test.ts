import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookWithin, ok } from './finding.ts'

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

test('a check that never ends fails when its time is up', async () => {
  const stuck = { name: 'stuck', look: () => new Promise<never>(() => undefined) }
  const { check, state, says } = await lookWithin(stuck, async () => undefined)
  assert.deepEqual([check, state, says], ['stuck', 'fail', 'no answer in time'])
})

test('a check that answers ends the wait, so that nothing keeps the command alive', async () => {
  let signal: AbortSignal | undefined
  const wait = (given: AbortSignal): Promise<never> => {
    signal = given
    return untilAborted(given)
  }
  assert.deepEqual(await lookWithin({ name: 'quick', look: async () => ok('fine') }, wait), {
    check: 'quick',
    state: 'ok',
    says: 'fine',
  })
  assert.equal(signal?.aborted, true)
})

test('a check that throws has failed and says why', async () => {
  const broken = { name: 'broken', look: () => Promise.reject(new Error('no such table')) }
  const { state, says } = await lookWithin(broken, untilAborted)
  assert.deepEqual([state, says], ['fail', 'could not be looked at (no such table)'])
})
