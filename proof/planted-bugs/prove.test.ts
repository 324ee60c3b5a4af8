import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schedule } from './planted-bug.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { measure } from './prove.ts'

const bug = (name: string) => ({ name, file: 'x.ts', find: 'a', replace: 'b', caughtBy: 'x.test.ts' }) as const

test('the proof counts what the simulation and what a test has found, and fails when a bug was not', async () => {
  const bugs = [bug('a charge without a claim'), bug('a refund with a new id')]
  const simulated = { ...bug('a late claim'), caughtBy: schedule('storm', 1) }
  assert.deepEqual(await measure([], [...bugs, simulated], async () => []), {
    bugs: 3,
    foundBySimulation: 1,
    foundByTests: 2,
  })
  const misses = measure([], bugs, async () => ['a refund with a new id'])
  await assert.rejects(misses, (error) => error instanceof CommandError && /^1 of 2 planted bugs/.test(error.message))
})
