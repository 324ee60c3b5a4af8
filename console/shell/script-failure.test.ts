import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isScriptFailure, loadScript } from './script-failure.ts'

test('a screen whose script is gone after an update is told apart from one that has a fault', async () => {
  assert.equal(await loadScript(async () => 'screen'), 'screen')
  const gone = loadScript(async () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  await assert.rejects(gone, isScriptFailure)
  assert.equal(isScriptFailure(new TypeError('x is undefined')), false)
})
