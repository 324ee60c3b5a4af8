import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prove as flaky } from './proofs/flaky.ts'
import { runProof, withEntry } from './prove.ts'
import { Refusal } from './say.mjs'

test('a proof replaces its own figures and leaves the others', () => {
  const once = withEntry('{}', 'flaky', { seconds: 1 })
  const twice = withEntry(once, 'crash', { seconds: 2 })
  assert.equal(
    withEntry(twice, 'flaky', { seconds: 3 }),
    `${JSON.stringify({ crash: { seconds: 2 }, flaky: { seconds: 3 } }, null, 2)}\n`,
  )
})

test('an unknown or missing proof ends with 1 before anything runs', async () => {
  assert.equal(await runProof([]), 1)
  assert.equal(await runProof(['no-such-proof']), 1)
})

test('journeys are repeated 1 to 1000 times', async () => {
  for (const times of ['0', '1001', '1.5', 'often', '-3']) await assert.rejects(flaky([times]), Refusal)
})
