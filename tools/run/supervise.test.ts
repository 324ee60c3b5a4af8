import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ROOT } from '../root.ts'
import { chargeGraceMs, createSupervisor } from './supervise.ts'
import { isAlive, environmentOutsideTests, readPid, waitUntil } from '../testing/child-processes.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const modulePath = (file: string): string => JSON.stringify(join(ROOT, 'tools', file))

const NPM_SCRIPT = `import { spawn } from 'node:child_process'
  const child = spawn(process.execPath, ['start.ts'], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code))`

const START_SCRIPT = `import { writeFileSync } from 'node:fs'
  import { onParentExit } from ${modulePath('exit-with-parent.ts')}
  import { createSupervisor } from ${modulePath('run/supervise.ts')}
  writeFileSync('start.pid', String(process.pid))
  const supervisor = createSupervisor('end')
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => supervisor.stop('requested'))
  onParentExit(() => supervisor.stop('process exited'))
  const sandbox = { name: 'sandbox', args: ['sandbox.ts'], reportsReady: true, stdout: 'to stderr' } as const
  const server = { name: 'server', args: ['server.ts'], reportsReady: false, stdout: 'shown' } as const
  if ((await supervisor.start(sandbox)) === 'ready') await supervisor.start(server)
  process.exit(await supervisor.exitCode)`

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
  bodies = { sandbox: STOPS_ON_SIGTERM, server: STOPS_ON_SIGTERM },
): Promise<Run> => {
  const folder = temporaryFolder(t, {
    'npm.mjs': NPM_SCRIPT,
    'start.ts': START_SCRIPT,
    'sandbox.ts': childScript('sandbox', bodies.sandbox),
    'server.ts': childScript('server', bodies.server),
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
  waitUntil('all are gone', () => !Object.values(pids).some(isAlive), 2000)

for (const name of ['npm', 'start', 'sandbox', 'server'] as const) {
  test(`when ${name} is killed, all others are gone within two seconds`, async (t) => {
    const { pids } = await startRun(t)
    process.kill(pids[name], 'SIGKILL')
    await waitUntilAllGone(pids)
  })
}

test('a server that no longer reacts is gone within two seconds after npm or the sandbox was killed', async (t) => {
  for (const name of ['npm', 'sandbox'] as const) {
    const { pids } = await startRun(t, {
      sandbox: STOPS_ON_SIGTERM,
      server: `process.off('disconnect', stop); ${IGNORES_SIGTERM}`,
    })
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
    'npm.mjs': NPM_SCRIPT,
    'start.ts': START_SCRIPT,
    'sandbox.ts': 'process.exit(3)',
    'server.ts': childScript('server', STOPS_ON_SIGTERM),
  })
  const npm = spawn(process.execPath, ['npm.mjs'], { cwd: folder, stdio: 'ignore', env: environmentOutsideTests() })
  const code = await new Promise((resolve) => {
    npm.on('exit', resolve)
  })
  assert.equal(code, 1)
  assert.throws(() => readFileSync(join(folder, 'server.pid')))
})

/** Answers a signal by a file, for as long as it lives. */
const ANSWERS_SIGNALS = `${IGNORES_SIGTERM}; process.on('SIGUSR2', () => writeFileSync('answered', ''))`

for (const [timeout, grace] of [
  [undefined, 31_000],
  ['120000', 131_000],
] as const) {
  test(`when it stops, a server that drains for a second and whose acquirer may take ${grace / 1000 - 11} has ${grace / 1000} to end its charges`, async (t) => {
    const given = process.env['GATEWAY_TIMEOUT_MS']
    t.after(() =>
      given === undefined ? delete process.env['GATEWAY_TIMEOUT_MS'] : (process.env['GATEWAY_TIMEOUT_MS'] = given),
    )
    if (timeout === undefined) delete process.env['GATEWAY_TIMEOUT_MS']
    else process.env['GATEWAY_TIMEOUT_MS'] = timeout
    const folder = temporaryFolder(t, {
      'server.ts': childScript('server', `process.chdir(import.meta.dirname); ${ANSWERS_SIGNALS}`),
    })
    const supervisor = createSupervisor('end')
    const args = [join(folder, 'server.ts')]
    await supervisor.start({ name: 'server', args, reportsReady: true, stdout: 'to stderr' })
    const pid = await readPid(folder, 'server')
    t.mock.timers.enable({ apis: ['setTimeout'] })
    supervisor.stop('requested')
    t.mock.timers.tick(grace - 1)
    process.kill(pid, 'SIGUSR2')
    while (!existsSync(join(folder, 'answered'))) {
      assert.ok(isAlive(pid), 'killed too early')
      await new Promise(setImmediate)
    }
    t.mock.timers.tick(1)
    assert.equal(await supervisor.exitCode, 0)
    assert.ok(!isAlive(pid))
  })
}

test('a server that is told to stop is killed no sooner than it has drained, and a payment under way has ended and is recorded', () => {
  assert.equal(chargeGraceMs({ DRAIN_MS: '30000', GATEWAY_TIMEOUT_MS: '5000' }), 30_000 + 5000 + 10_000)
})
