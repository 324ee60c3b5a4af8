import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../server/config/config.ts'
import { sandboxProgram } from './start.ts'

const sandboxArgs = (env: NodeJS.ProcessEnv): readonly string[] | undefined => {
  const read = readConfig(env)
  if (!read.ok) assert.fail(read.problem)
  return sandboxProgram(read.config)?.args
}

test('a server has the sandbox started beside it at the port after its own, unless it is off', () => {
  const args = sandboxArgs({ PORT: '3000' })
  assert.deepEqual(args?.slice(0, 3), ['sandbox/main.ts', '--port', '3001'])
  assert.equal(sandboxArgs({ SANDBOX: 'off' }), undefined)
})

test('a worker shares the acquirer of the server beside it, and starts none of its own', () => {
  assert.equal(sandboxArgs({ WORKER_ONLY: '1', DATABASE_URL: 'postgresql://u@h/d' }), undefined)
})
