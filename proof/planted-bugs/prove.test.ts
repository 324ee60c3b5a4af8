import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../../tools/command-error.mjs'
import { measure } from './prove.ts'

const bug = (name: string) => ({ name, file: 'x.ts', find: 'a', replace: 'b', caughtBy: 'x.test.ts' }) as const

test('the proof counts the planted bugs that were caught, and fails when one was not', async () => {
  const bugs = [bug('a charge without a claim'), bug('a refund with a new id')]
  assert.deepEqual(await measure([], bugs, async () => []), { bugs: 2, caught: 2 })
  const misses = measure([], bugs, async () => ['a refund with a new id'])
  await assert.rejects(misses, (error) => error instanceof CommandError && /^1 of 2 planted bugs/.test(error.message))
})
