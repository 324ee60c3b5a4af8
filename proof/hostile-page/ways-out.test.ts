import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostileScript, WAYS_OUT } from './ways-out.ts'

test('at least 21 ways are tried, each under a name of its own in one script', () => {
  const names = Object.keys(WAYS_OUT)
  assert.ok(names.length >= 21, String(names.length))
  const script = hostileScript(WAYS_OUT)
  for (const name of names) assert.ok(script.includes(`${JSON.stringify(name)}: `), name)
})
