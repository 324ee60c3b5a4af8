import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '../../server/config/config.ts'
import { ROOT } from '../root.ts'
import { sandboxProgram, serverProgram } from './programs.ts'

const sandboxArgs = (env: NodeJS.ProcessEnv): readonly string[] | undefined => {
  const read = readConfig(env)
  if (!read.ok) assert.fail(read.problem)
  return sandboxProgram(read.config)?.args
}

test('a server has the sandbox started beside it at the port after its own, unless it is off', () => {
  const args = sandboxArgs({ PORT: '3000' })
  assert.deepEqual(args?.slice(0, 5), [join(ROOT, 'sandbox/main.ts'), '--port', '3001', '--mailbox-port', '3002'])
  assert.equal(sandboxArgs({ SANDBOX: 'off' }), undefined)
})

test('a worker shares the acquirer of the server beside it, and starts none of its own', () => {
  assert.equal(sandboxArgs({ WORKER: 'only', DATABASE_URL: 'postgresql://u@h/d' }), undefined)
  assert.notEqual(sandboxArgs({ WORKER: 'off', DATABASE_URL: 'postgresql://u@h/d' }), undefined)
})

test('a server that is led to the sandbox of another process starts none of its own', () => {
  assert.equal(sandboxArgs({ SANDBOX_URL: 'http://127.0.0.1:4001' }), undefined)
})

test('the sandbox records no requests, in production or anywhere else that npm start runs', () => {
  for (const env of [{}, { NODE_ENV: 'production', SANDBOX: 'on' }])
    assert.equal(sandboxArgs(env)?.includes('--request-log'), false)
})

test('no signal opens the inspector of a server that holds cards in its memory', async () => {
  assert.equal(serverProgram.args[0], '--disable-sigusr1')
  const script = "process.kill(process.pid, 'SIGUSR1'); setTimeout(() => {}, 200)"
  const { stderr } = await promisify(execFile)(process.execPath, ['--disable-sigusr1', '-e', script]).catch(
    (error: { stderr?: string }) => ({ stderr: error.stderr ?? '' }),
  )
  assert.doesNotMatch(stderr, /Debugger listening/)
})
