import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { readConfig, type Config } from '../../server/config/config.ts'
import { ROOT } from '../root.ts'
import { isAlive, environmentOutsideTests, readPid, waitUntil } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { chargeGraceMs, programsOf, serverProgram } from './programs.ts'

const configOf = (env: NodeJS.ProcessEnv): Config => {
  const read = readConfig(env)
  return read.ok ? read.config : assert.fail(read.problem)
}
const sandboxArgs = (env: NodeJS.ProcessEnv): readonly string[] | undefined =>
  programsOf(configOf(env)).find(({ name }) => name === 'sandbox')?.args

test('a server has the sandbox started before it at the port after its own, unless it is off', () => {
  const names = programsOf(configOf({ PORT: '3000' })).map(({ name }) => name)
  assert.deepEqual(names, ['sandbox', 'server'])
  const args = sandboxArgs({ PORT: '3000' })
  assert.deepEqual(args?.slice(0, 5), [join(ROOT, 'sandbox/main.ts'), '--port', '3001', '--mailbox-port', '3002'])
  assert.deepEqual(programsOf(configOf({ SANDBOX: 'off' })), [serverProgram])
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

test('a server that is told to stop may drain, wait for the acquirer of a payment under way, and record what it says', () => {
  assert.equal(chargeGraceMs(configOf({})), 1000 + 20_000 + 10_000)
  assert.equal(chargeGraceMs(configOf({ DRAIN_MS: '30000', GATEWAY_TIMEOUT_MS: '5000' })), 30_000 + 5000 + 10_000)
})

const NPM_SCRIPT = `import { spawn } from 'node:child_process'
  const child = spawn(process.execPath, ['start.ts'], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code))`

const startScript = (graceMs: number): string => `import { writeFileSync } from 'node:fs'
  import { superviseInOrder } from ${JSON.stringify(join(ROOT, 'tools/run/programs.ts'))}
  writeFileSync('start.pid', String(process.pid))
  const sandbox = { name: 'sandbox', args: ['sandbox.ts'], stdout: 2 } as const
  const server = { name: 'server', args: ['server.ts'], stdout: 'inherit' } as const
  process.exit(await superviseInOrder([sandbox, server], ${graceMs}))`

const childScript = (name: string, body: string): string => `import { appendFileSync, writeFileSync } from 'node:fs'
  const stop = () => { appendFileSync('stops', '${name} '); process.exit(0) }
  process.on('disconnect', stop)
  ${body}
  console.log('${name} is here')
  process.send?.({ ready: true })
  setInterval(() => {}, 1000)
  writeFileSync('${name}.pid', String(process.pid))`
const STOPS_ON_SIGTERM = "process.on('SIGTERM', stop)"
const IGNORES_SIGTERM = "process.on('SIGTERM', () => {})"

type ProcessName = 'npm' | 'start' | 'sandbox' | 'server'
interface Run {
  readonly folder: string
  readonly pids: Readonly<Record<ProcessName, number>>
  readonly code: Promise<number | null>
  readonly stdout: () => string
}

const startRun = async (
  t: TestContext,
  { sandbox = STOPS_ON_SIGTERM, server = STOPS_ON_SIGTERM, graceMs = 31_000 } = {},
): Promise<Run> => {
  const folder = temporaryFolder(t, {
    'npm.mjs': NPM_SCRIPT,
    'start.ts': startScript(graceMs),
    'sandbox.ts': childScript('sandbox', sandbox),
    'server.ts': childScript('server', server),
  })
  const npm = spawn(process.execPath, ['npm.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentOutsideTests(),
  })
  let stdout = ''
  npm.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part))
  npm.stderr.resume()
  const code = new Promise<number | null>((resolve) => {
    npm.on('exit', resolve)
  })
  const pids = {
    npm: npm.pid ?? 0,
    start: await readPid(folder, 'start'),
    sandbox: await readPid(folder, 'sandbox'),
    server: await readPid(folder, 'server'),
  }
  t.after(() => {
    for (const pid of Object.values(pids)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return { folder, pids, code, stdout: () => stdout }
}

const waitUntilAllGone = (pids: Readonly<Record<ProcessName, number>>): Promise<void> =>
  waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 20_000)

for (const name of ['npm', 'start', 'sandbox', 'server'] as const) {
  test(`when ${name} is killed, all others end`, async (t) => {
    const { pids } = await startRun(t)
    process.kill(pids[name], 'SIGKILL')
    await waitUntilAllGone(pids)
  })
}

test('a server that no longer reacts ends too when npm or the sandbox was killed', async (t) => {
  for (const name of ['npm', 'sandbox'] as const) {
    const { pids } = await startRun(t, { server: `process.off('disconnect', stop); ${IGNORES_SIGTERM}` })
    process.kill(pids[name], 'SIGKILL')
    await waitUntilAllGone(pids)
  }
})

test('a child that dies ends the run with 1', async (t) => {
  const { pids, code } = await startRun(t)
  process.kill(pids.sandbox, 'SIGKILL')
  assert.equal(await code, 1)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`at ${signal} the server stops before the sandbox that its payments need, and the run ends with 0`, async (t) => {
    const { folder, pids, code } = await startRun(t)
    process.kill(pids.npm, signal)
    assert.equal(await code, 0)
    await waitUntilAllGone(pids)
    assert.equal(readFileSync(join(folder, 'stops'), 'utf8'), 'server sandbox ')
  })
}

test('a server that does not stop is killed after its grace and no sooner', async (t) => {
  const { pids, code } = await startRun(t, { server: IGNORES_SIGTERM, graceMs: 500 })
  const asked = performance.now()
  process.kill(pids.npm, 'SIGTERM')
  assert.equal(await code, 0)
  assert.ok(performance.now() - asked >= 500)
  await waitUntilAllGone(pids)
})

test('two stop signals, as a terminal and npm together send them, stop it once and end with 0', async (t) => {
  const { pids, code } = await startRun(t)
  process.kill(pids.start, 'SIGINT')
  process.kill(pids.npm, 'SIGINT')
  assert.equal(await code, 0)
})

test('only the server writes to stdout', async (t) => {
  const { pids, code, stdout } = await startRun(t)
  process.kill(pids.npm, 'SIGTERM')
  await code
  assert.equal(stdout(), 'server is here\n')
})

test('a sandbox that cannot start ends the run with 1 before the server starts', async (t) => {
  const folder = temporaryFolder(t, {
    'start.ts': startScript(31_000),
    'sandbox.ts': 'process.exit(3)',
    'server.ts': childScript('server', STOPS_ON_SIGTERM),
  })
  const start = spawn(process.execPath, ['start.ts'], { cwd: folder, stdio: 'ignore', env: environmentOutsideTests() })
  const code = await new Promise((resolve) => {
    start.on('exit', resolve)
  })
  assert.equal(code, 1)
  assert.equal(existsSync(join(folder, 'server.pid')), false)
})
