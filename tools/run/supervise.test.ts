import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { root } from '../setup/setup.mjs'
import { createSupervisor } from './supervise.ts'
import { folderWith, isAlive, outsideTests, pidOf, until } from '../testing/stand-ins.ts'

const from = (file: string): string => JSON.stringify(join(root, 'tools', file))

const npm = `import { spawn } from 'node:child_process'
  const child = spawn(process.execPath, ['start.ts'], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code))`

const start = `import { writeFileSync } from 'node:fs'
  import { onParentGone } from ${from('parent.mjs')}
  import { createSupervisor } from ${from('supervise.ts')}
  writeFileSync('start.pid', String(process.pid))
  const supervisor = createSupervisor('end')
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => supervisor.end('asked'))
  onParentGone(() => supervisor.end('death'))
  const sandbox = { name: 'sandbox', args: ['sandbox.ts'], saysReady: true, stdout: 'to stderr' } as const
  const server = { name: 'server', args: ['server.ts'], saysReady: false, stdout: 'shown' } as const
  if ((await supervisor.start(sandbox)) === 'ready') await supervisor.start(server)
  process.exit(await supervisor.ended)`

const child = (name: string, body: string): string => `import { appendFileSync, writeFileSync } from 'node:fs'
  const stop = () => { appendFileSync('stops', '${name} '); process.exit(0) }
  process.on('disconnect', stop)
  ${body}
  console.log('${name} is here')
  process.send?.({ ready: true })
  setInterval(() => {}, 1000)
  writeFileSync('${name}.pid', String(process.pid))`
const obedient = "process.on('SIGTERM', stop)"
const stubborn = "process.on('SIGTERM', () => {})"

type Names = 'npm' | 'start' | 'sandbox' | 'server'
type Running = { folder: string; pids: Record<Names, number>; code: Promise<number | null>; shown: () => string }

const run = async (t: TestContext, bodies = { sandbox: obedient, server: obedient }): Promise<Running> => {
  const folder = folderWith(t, {
    'npm.mjs': npm,
    'start.ts': start,
    'sandbox.ts': child('sandbox', bodies.sandbox),
    'server.ts': child('server', bodies.server),
  })
  const top = spawn(process.execPath, ['npm.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: outsideTests(),
  })
  let shown = ''
  top.stdout.setEncoding('utf8').on('data', (part: string) => (shown += part))
  top.stderr.resume()
  const code = new Promise<number | null>((resolve) => {
    top.on('exit', resolve)
  })
  const pids = {
    npm: top.pid ?? 0,
    start: await pidOf(folder, 'start'),
    sandbox: await pidOf(folder, 'sandbox'),
    server: await pidOf(folder, 'server'),
  }
  t.after(() => {
    for (const pid of Object.values(pids)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return { folder, pids, code, shown: () => shown }
}

const allGone = (pids: Record<Names, number>): Promise<void> =>
  until('all are gone', () => !Object.values(pids).some(isAlive), 2000)

for (const name of ['npm', 'start', 'sandbox', 'server'] as const) {
  test(`when ${name} is killed, all others are gone within two seconds`, async (t) => {
    const { pids } = await run(t)
    process.kill(pids[name], 'SIGKILL')
    await allGone(pids)
  })
}

test('a server that does not listen any more is gone within two seconds of the death of npm or the sandbox', async (t) => {
  for (const name of ['npm', 'sandbox'] as const) {
    const { pids } = await run(t, { sandbox: obedient, server: `process.off('disconnect', stop); ${stubborn}` })
    process.kill(pids[name], 'SIGKILL')
    await allGone(pids)
  }
})

test('a child that dies ends the run with 1', async (t) => {
  const { pids, code } = await run(t)
  process.kill(pids.sandbox, 'SIGKILL')
  assert.equal(await code, 1)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`asked by ${signal}, the server stops before the sandbox that its payments need, and the run ends with 0`, async (t) => {
    const { folder, pids, code } = await run(t)
    process.kill(pids.npm, signal)
    assert.equal(await code, 0)
    await allGone(pids)
    assert.equal(readFileSync(join(folder, 'stops'), 'utf8'), 'server sandbox ')
  })
}

test('asked twice, as a terminal and npm together do, it stops once and ends with 0', async (t) => {
  const { pids, code } = await run(t)
  process.kill(pids.start, 'SIGINT')
  process.kill(pids.npm, 'SIGINT')
  assert.equal(await code, 0)
})

test('only the server writes to stdout', async (t) => {
  const { pids, code, shown } = await run(t)
  process.kill(pids.npm, 'SIGTERM')
  await code
  assert.equal(shown(), 'server is here\n')
})

test('a sandbox that cannot start ends the run with 1 before the server starts', async (t) => {
  const folder = folderWith(t, {
    'npm.mjs': npm,
    'start.ts': start,
    'sandbox.ts': 'process.exit(3)',
    'server.ts': child('server', obedient),
  })
  const top = spawn(process.execPath, ['npm.mjs'], { cwd: folder, stdio: 'ignore', env: outsideTests() })
  const code = await new Promise((resolve) => {
    top.on('exit', resolve)
  })
  assert.equal(code, 1)
  assert.throws(() => readFileSync(join(folder, 'server.pid')))
})

/** Answers a signal by a file, for as long as it lives. */
const answering = `${stubborn}; process.on('SIGUSR2', () => writeFileSync('answered', ''))`

for (const [timeout, grace] of [
  [undefined, 30_000],
  ['120000', 130_000],
] as const) {
  test(`asked to stop, a server whose acquirer may take ${grace / 1000 - 10} seconds has ${grace / 1000} to end its charges`, async (t) => {
    const given = process.env['GATEWAY_TIMEOUT_MS']
    t.after(() =>
      given === undefined ? delete process.env['GATEWAY_TIMEOUT_MS'] : (process.env['GATEWAY_TIMEOUT_MS'] = given),
    )
    if (timeout === undefined) delete process.env['GATEWAY_TIMEOUT_MS']
    else process.env['GATEWAY_TIMEOUT_MS'] = timeout
    const folder = folderWith(t, { 'server.ts': child('server', `process.chdir(import.meta.dirname); ${answering}`) })
    const supervisor = createSupervisor('end')
    const args = [join(folder, 'server.ts')]
    await supervisor.start({ name: 'server', args, saysReady: true, stdout: 'to stderr' })
    const pid = await pidOf(folder, 'server')
    t.mock.timers.enable({ apis: ['setTimeout'] })
    supervisor.end('asked')
    t.mock.timers.tick(grace - 1)
    process.kill(pid, 'SIGUSR2')
    while (!existsSync(join(folder, 'answered'))) {
      assert.ok(isAlive(pid), 'killed too early')
      await new Promise(setImmediate)
    }
    t.mock.timers.tick(1)
    assert.equal(await supervisor.ended, 0)
    assert.ok(!isAlive(pid))
  })
}
