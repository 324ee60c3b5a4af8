import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  captureOutput,
  field,
  itemsOf,
  MAIN_FILE,
  mainArguments,
  makeTemporaryFolder,
  pollUntil,
  startSandboxProcess,
  TIME_SCALE,
  waitForExit,
  waitForReadyPort,
} from './testing/acquirer.ts'

const LATE = { card: { number: '4100000000753005' } }
const QUEUED = { card: { number: '4100000000758004' } }

const isHealthy = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/acquirer/v1/health`).then(
    (response) => response.ok,
    () => false,
  )

const occupyPort = async (): Promise<{ server: Server; port: number }> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, port: Number(field(address, 'port')) }
}

describe('the sandbox as a process', { concurrency: true }, () => {
  // The three that wait for a clock come first, so that the others run meanwhile.
  test('it gives up after five seconds on a port that stays taken, with one line', async (t) => {
    const { server, port } = await occupyPort()
    t.after(() => server.close())
    const start = performance.now()
    const child = spawn(process.execPath, mainArguments(makeTemporaryFolder(t), port), {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    const output = captureOutput(child)
    assert.deepEqual(await waitForExit(child), { code: 1, signal: null })
    assert.equal(
      output(),
      `sandbox: --port ${port} is taken on 127.0.0.1; stop the program that has it, or give another --port (beside a server: SANDBOX_PORT)\n`,
    )
    assert.ok(performance.now() - start >= 5_000)
  })

  test('a late and a queued charge survive SIGKILL and are booked once by the next process', async (t) => {
    const folder = makeTemporaryFolder(t)
    const first = await startSandboxProcess(t, folder)
    const start = Date.now()
    const waiting = first.client.charge('late', LATE)
    waiting.catch(() => undefined)
    await assert.rejects(first.client.charge('queued', QUEUED))
    await pollUntil(
      () => first.client.inquire('late'),
      ({ body }) => field(body, 'status') === 'pending',
    )
    first.child.kill('SIGKILL')
    await assert.rejects(waiting)
    await first.exited

    const { client } = await startSandboxProcess(t, folder)
    assert.equal((await client.inquire('late')).status, 200)
    const answer = await client.charge('late', LATE)
    assert.equal(field(answer.body, 'status'), 'charged')
    assert.ok(Date.now() - start >= 30_000 * TIME_SCALE)
    assert.equal(field((await client.inquire('queued')).body, 'status'), 'charged')
    assert.equal(itemsOf(await client.list()).length, 2)
  })

  test('it waits for a port that is about to be free', async (t) => {
    const { server, port } = await occupyPort()
    setTimeout(() => server.close(), 3_000)
    const { client } = await startSandboxProcess(t, makeTemporaryFolder(t), port)
    assert.equal(client.port, port)
    assert.ok(!server.listening)
    assert.ok(await isHealthy(port))
  })

  test('it creates its data folder and sends its parent the free port it took', async (t) => {
    const folder = join(makeTemporaryFolder(t), 'deep', 'folder')
    const { client, output } = await startSandboxProcess(t, folder)
    assert.ok(existsSync(folder))
    assert.ok(client.port > 0)
    assert.ok(await isHealthy(client.port))
    assert.equal(output(), '')
  })

  test('without an IPC channel to a parent it prints one line and exits with 0 on Ctrl-C', async (t) => {
    const child = spawn(process.execPath, mainArguments(makeTemporaryFolder(t)), { stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => child.kill('SIGKILL'))
    const output = captureOutput(child)
    const exited = waitForExit(child)
    await once(child.stdout, 'data')
    assert.match(output(), /^sandbox: http:\/\/127\.0\.0\.1:\d+\n$/)
    assert.ok(await isHealthy(Number(output().trim().split(':').at(-1))))
    child.kill('SIGINT')
    assert.deepEqual(await exited, { code: 0, signal: null })
  })

  test('the address that it prints is one at which it answers, whatever it listens on', async (t) => {
    const given = mainArguments(makeTemporaryFolder(t), 0, { host: '0.0.0.0' })
    const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => child.kill('SIGKILL'))
    const output = captureOutput(child)
    await once(child.stdout, 'data')
    assert.match(output(), /^sandbox: http:\/\/localhost:\d+\n$/)
    assert.equal((await fetch(output().replace('sandbox: ', '').trim())).status, 200)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} drops a held connection, keeps what was booked and exits with 0`, async (t) => {
      const folder = makeTemporaryFolder(t)
      // At this scale the call is held for two minutes.
      const { child, client, exited, output } = await startSandboxProcess(t, folder, 0, { 'time-scale': '1' })
      const held = client.charge('order-1', { card: { number: '4100000000754003' } })
      held.catch(() => undefined)
      await pollUntil(
        () => client.inquire('order-1'),
        ({ status }) => status === 200,
      )
      const start = performance.now()
      child.kill(signal)
      await assert.rejects(held, { message: 'fetch failed' })
      assert.deepEqual(await exited, { code: 0, signal: null })
      assert.ok(performance.now() - start < 60_000, 'it waited for the call that is never answered')
      assert.equal(output(), '')
      assert.ok(!existsSync(join(folder, 'acquirer.sqlite-wal')), 'the store was closed')
      const next = await startSandboxProcess(t, folder)
      assert.equal(field((await next.client.inquire('order-1')).body, 'status'), 'charged')
    })
  }

  test('it exits when its parent closes the channel', async (t) => {
    const { child, exited } = await startSandboxProcess(t, makeTemporaryFolder(t))
    child.disconnect()
    assert.deepEqual(await exited, { code: 0, signal: null })
  })

  test('it is gone when its parent is killed', async (t) => {
    const script = `
      const child = require('node:child_process').fork(${JSON.stringify(MAIN_FILE)}, process.argv.slice(1))
      child.on('message', ({ port }) => console.log(port))
    `
    const settings = mainArguments(makeTemporaryFolder(t)).slice(1)
    const parent = spawn(process.execPath, ['-e', script, '--', ...settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => parent.kill('SIGKILL'))
    const printed = captureOutput(parent)
    await once(parent.stdout, 'data')
    const port = Number(printed())
    assert.ok(await isHealthy(port))
    parent.kill('SIGKILL')
    await pollUntil(
      () => isHealthy(port),
      (alive) => !alive,
    )
  })
})

test('a bad argument ends the sandbox with one line on stderr and exit code 1', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN_FILE, '--port', 'x'], { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^sandbox: --port "x" is not valid; give a whole number from 0 to 65535[^\n]*\n$/)
})

test('a data folder that cannot be made ends the sandbox with one line', (t) => {
  const file = join(makeTemporaryFolder(t), 'a-file')
  writeFileSync(file, '')
  const { status, stderr } = spawnSync(process.execPath, mainArguments(join(file, 'below')), { encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(stderr, /^sandbox: --data \S+ cannot be used \([^\n]*\); give a folder[^\n]*\n$/)
})

test('in a release, which has no mailbox, it starts without one, and refuses to open one with one line', async (t) => {
  const release = makeTemporaryFolder(t)
  const released = join(release, 'sandbox')
  // The one package that the sandbox of a release has.
  mkdirSync(join(release, 'node_modules'))
  symlinkSync(join(MAIN_FILE, '..', '..', 'node_modules', 'typebox'), join(release, 'node_modules', 'typebox'))
  cpSync(join(MAIN_FILE, '..'), released, { recursive: true, filter: (path) => !/\/(mailbox|testing)$/.test(path) })
  const [, ...args] = mainArguments(makeTemporaryFolder(t), 0)
  const child = spawn(process.execPath, [join(released, 'main.ts'), ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  assert.equal(await isHealthy(await waitForReadyPort(child)), true)
  const refused = spawnSync(process.execPath, [join(released, 'main.ts'), ...args, '--mailbox-port', '0'], {
    encoding: 'utf8',
  })
  assert.deepEqual(
    [refused.status, refused.stderr],
    [
      1,
      'sandbox: --mailbox-port cannot be used: a release does not contain the mailbox; leave it out, or start the sandbox from a clone\n',
    ],
  )
})
