import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../say.mjs'
import { prove } from './crashes.ts'

test('processes are killed 1 to 10000 times on each database, by a seed that is a whole number', async () => {
  for (const kills of ['0', '10001', '1.5', 'often', '-3']) await assert.rejects(prove([kills]), Refusal)
  for (const seed of ['x', '-1', '1.5', '1234567890']) await assert.rejects(prove(['1', seed]), Refusal)
})
