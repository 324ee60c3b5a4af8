import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../server/config/config.ts'
import { sandboxOf } from './up.ts'

const startedWith = (env: NodeJS.ProcessEnv): readonly string[] | undefined => {
  const read = readConfig(env)
  if (!read.ok) assert.fail(read.problem)
  return sandboxOf(read.config)?.args
}

test('a server has the sandbox started beside it at the port after its own, unless it is off', () => {
  const args = startedWith({ PORT: '3000' })
  assert.deepEqual(args?.slice(0, 3), ['sandbox/main.ts', '--port', '3001'])
  assert.equal(startedWith({ SANDBOX: 'off' }), undefined)
})

test('a worker shares the acquirer of the server beside it, and starts none of its own', () => {
  assert.equal(startedWith({ WORKER_ONLY: '1', DATABASE_URL: 'postgresql://u@h/d' }), undefined)
})
