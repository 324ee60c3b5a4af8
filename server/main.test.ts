import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommandLine } from './commands/command-line.ts'
import { systemClock } from './dependencies.ts'
import { readMigrations } from './store/engine/migrate.ts'
import { openExistingDatabase } from './store/engine/open.ts'
import { openPostgres } from './store/engine/postgres.ts'
import { openEmbedded } from './store/engine/sqlite.ts'
import { createAssetHmac } from './store/page/page-asset-hmac.ts'
import { storeAssets } from './store/page/page-assets.ts'
import { startSandbox, type SandboxProcess } from '../proof/harness/sandbox-process.ts'
import { createPostgresDatabase } from '../proof/harness/databases.ts'
import { freePort, isPortTaken, occupyPort, spawnServer, type ServerProcess } from '../proof/harness/server-process.ts'
import { CARD } from '../proof/harness/test-server.ts'

/** The sandbox charges it and answers three seconds later. */
const ANSWERED_LATE = '4100000000753005'
/** Not enrolled in 3-D Secure, which the demo merchant allows: it is paid without frames. */
const NOT_ENROLLED = '5105105105105100'

const noop = (): void => undefined

/** Each start takes a core for about a second; most of these tests then wait. */
const AT_ONCE = 4

describe('the server as a process', { concurrency: AT_ONCE }, () => {
  let folder: string
  let acquirer: SandboxProcess
  const running: ServerProcess[] = []
  const occupied: Server[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-main-'))
    acquirer = await startSandbox()
  })
  after(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL')
      await ended
    }
    for (const server of occupied) server.close()
    await acquirer.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const launch = (env: Record<string, string>): ServerProcess => {
    const server = spawnServer(env)
    running.push(server)
    return server
  }

  const takenPort = async (): Promise<string> => {
    const { port, server } = await occupyPort()
    occupied.push(server)
    return String(port)
  }

  const ownEnv = async (name: string): Promise<{ PORT: string; DATA_DIR: string; SANDBOX_PORT: string }> => ({
    PORT: String(await freePort()),
    DATA_DIR: join(folder, name),
    SANDBOX_PORT: new URL(acquirer.origin).port,
  })

  /** It exits with code 1, prints nothing, and writes one line of error. */
  const refusesWith = async (server: ServerProcess, line: RegExp): Promise<number> => {
    const { code, afterMs } = await server.ended
    assert.deepEqual([code, server.stdoutLines()], [1, []])
    assert.equal(server.stderrLines().length, 1, server.stderrLines().join('\n'))
    assert.match(server.stderrLines()[0] ?? '', line)
    return afterMs
  }

  const call = async (port: string, method: string, path: string, body?: object, key?: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        merchant: 'demo',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  const field = async (response: Response, name: string): Promise<unknown> => {
    const answer: unknown = await response.json()
    const entries = typeof answer === 'object' && answer !== null ? Object.entries(answer) : []
    return entries.find(([key]) => key === name)?.[1]
  }

  const firstWord = (line: string): string => line.split(':')[0] ?? ''

  const idOf = (printed: Record<string, string>): string => printed['shopper']?.split('/').at(-1) ?? ''

  test('it prints where to pay, where the merchant API is and with which key, then ready, and all of it works until it is told to stop', async () => {
    // As long as this it says that it is not ready: a busy machine must find the time to ask.
    const env = { ...(await ownEnv('prints')), DRAIN_MS: '5000' }
    const server = launch(env)
    const printed = await server.ready()
    assert.deepEqual(server.stdoutLines().map(firstWord), [
      'shopper',
      'preview',
      'merchant-api',
      'merchant-key',
      'console',
      'mailbox',
      'ready',
    ])
    assert.match(printed['shopper'] ?? '', new RegExp(`^http://demo\\.localhost:${env.PORT}/[a-z2-7]{32}$`))
    assert.equal(printed['merchant-api'], `http://localhost:${env.PORT}/merchant/v1`)
    assert.equal(await field(await call(env.PORT, 'GET', `/api/v1/checkouts/${idOf(printed)}`), 'status'), 'open')
    const created = await call(env.PORT, 'POST', '/merchant/v1/checkouts', { amount: 5 }, printed['merchant-key'])
    assert.equal(created.status, 201)
    assert.equal((await call(env.PORT, 'GET', `/merchant/v1/checkouts/${idOf(printed)}`)).status, 401)
    // A page that a server of another release has drawn asks this one for a file that its build does not have.
    const key = (await readFile(join(env.DATA_DIR, 'secret-key'), 'utf8')).trim()
    const opened = await openExistingDatabase({ databaseUrl: null, dataDir: env.DATA_DIR })
    if ('problem' in opened) assert.fail(opened.problem)
    const ofOther = { bytes: Buffer.from('x()'), mediaType: 'text/javascript', compressed: {} }
    const own = (await opened.database.rows('SELECT name FROM page_assets')).length
    await storeAssets(opened.database, createAssetHmac([key]), new Map([['main-OTHER000.js', ofOther]]), 0)
    await opened.database.close()
    assert.ok(own > 10)
    assert.equal(await (await call(env.PORT, 'GET', '/assets/main-OTHER000.js')).text(), 'x()')
    assert.deepEqual(server.stderrLines(), [])
    server.child.kill('SIGTERM')
    // Told to stop, it is not ready, ends each connection with its answer, and then stops listening.
    let answer = await call(env.PORT, 'GET', '/readyz')
    while (answer.status === 200) answer = await call(env.PORT, 'GET', '/readyz')
    assert.deepEqual([answer.status, answer.headers.get('connection')], [503, 'close'])
    assert.equal((await call(env.PORT, 'GET', '/healthz')).status, 200)
    const { code, signal } = await server.ended
    assert.deepEqual([code, signal], [0, null])
    assert.equal(await isPortTaken(env.PORT), false)
  })

  test('without a demo and without merchants it says in one line how to make the first one, and no more once there is one; it ends when its parent disconnects', async () => {
    const env = { ...(await ownEnv('first-merchant')), DEMO: 'off' }
    const first = launch(env)
    await first.ready()
    const [line = '', ...more] = first.stdoutLines()
    assert.deepEqual(more.map(firstWord), ['mailbox', 'ready'])
    const command =
      /^no merchant yet: beside this server, npm run -s kaikei -- (merchant create --label tea --name) "(.*)"$/
    const [, words = '', name = ''] = command.exec(line) ?? assert.fail(line)
    assert.equal(await runCommandLine([...words.split(' '), name], env, { print: noop, printError: noop }), 0)
    first.child.kill('SIGTERM')
    await first.ended
    const second = launch(env)
    await second.ready()
    assert.deepEqual(second.stdoutLines().map(firstWord), ['mailbox', 'ready'])
    second.child.disconnect()
    await second.ended
    assert.equal(await isPortTaken(env.PORT), false)
  })

  test('in production it says in one line each that no mail is sent without a mail server, and that it runs as root, and starts', async () => {
    const env = { ...(await ownEnv('production')), NODE_ENV: 'production', SANDBOX: 'off' }
    const server = launch(env)
    await server.ready()
    const told = server.stdoutLines().filter((line) => line.includes('mail'))
    assert.equal(told.length, 1)
    assert.match(told[0] ?? '', /^no mail is sent: set SMTP_URL and MAIL_FROM, as in SMTP_URL=smtps:/)
    const warnings = server.stderrLines().filter((line) => line.startsWith('This server runs as root: '))
    assert.equal(warnings.length, process.geteuid?.() === 0 ? 1 : 0)
    server.child.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
  })

  test('it runs on PostgreSQL, where a second server is refused, and ends with 0 when interrupted', async (t) => {
    const place = await createPostgresDatabase()
    t.after(place.drop)
    const first = launch({ ...(await ownEnv('postgres')), DATABASE_URL: place.url })
    await first.ready()
    const second = launch({ ...(await ownEnv('postgres-2')), DATABASE_URL: place.url })
    await refusesWith(
      second,
      /^Another Kaikei server uses this database\. It is PostgreSQL session \d+ .* stop it, or set DATA_DIR or DATABASE_URL/,
    )
    first.child.kill('SIGINT')
    assert.equal((await first.ended).code, 0)
  })

  test('a second server on the same data folder waits five seconds and then exits; one that is started while the first is stopping takes its place', async () => {
    const env = await ownEnv('shared')
    const first = launch(env)
    const { 'merchant-key': key } = await first.ready()
    const second = launch({ ...env, PORT: String(await freePort()) })
    const afterMs = await refusesWith(second, /^Another Kaikei server uses this database\. /)
    assert.ok(afterMs >= 5000, String(afterMs))
    assert.equal((await call(env.PORT, 'GET', '/healthz')).status, 200)
    // It serves for another second, and has ended before the other gives up, however busy the machine is.
    first.child.kill('SIGTERM')
    const successor = launch(env)
    assert.equal((await successor.ready())['merchant-key'], key)
  })

  test('payments that are sent just before it is told to stop are all answered, on open connections and on new ones', async (t) => {
    const env = await ownEnv('stopped')
    const server = launch(env)
    const { 'merchant-key': key = '' } = await server.ready()
    const prepared = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const created = await call(env.PORT, 'POST', '/merchant/v1/checkouts', { amount: 5 }, key)
        const path = `/api/v1/checkouts/${String(await field(created, 'id'))}/3ds`
        const card = { ...CARD, number: NOT_ENROLLED }
        const orderCode = await field(await call(env.PORT, 'POST', path, { card }), 'orderCode')
        return `${path}/${String(orderCode)}/pay`
      }),
    )
    const send = (path: string, agent: Agent | false): ClientRequest => {
      const sent = httpRequest({ port: env.PORT, host: '127.0.0.1', method: 'PATCH', path, agent })
      sent.setHeader('merchant', 'demo').setHeader('content-type', 'application/json')
      return sent.end(JSON.stringify({ cvc: CARD.cvc, receiptEmail: CARD.email }))
    }
    const statusOf = async (sent: ClientRequest): Promise<number | undefined> => {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return response.resume().statusCode
    }
    const open = new Agent({ keepAlive: true })
    t.after(() => open.destroy())
    const opened = Array.from({ length: 5 }, async () => {
      const sent = httpRequest({ port: env.PORT, host: '127.0.0.1', path: '/healthz', agent: open }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      await once(response.resume(), 'end')
    })
    await Promise.all(opened)
    const sent = prepared.map((path, each) => send(path, each % 2 === 0 ? open : false))
    const answered = Promise.all(sent.map(statusOf))
    await Promise.all(sent.map((each) => once(each, 'finish')))
    server.child.kill('SIGTERM')
    assert.deepEqual(new Set(await answered), new Set([200]))
    assert.deepEqual((await server.ended).code, 0)
  })

  test('a server with WORKER=off and another’s sandbox leaves what is due to a worker, and serves for DRAIN_MS after it was told to stop', async (t) => {
    const place = await createPostgresDatabase()
    t.after(place.drop)
    const shared = { DATABASE_URL: place.url, SECRET_KEY: '0123456789abcdef'.repeat(2) }
    const { SANDBOX_PORT: _started, ...own } = await ownEnv('leaves-work')
    const env = { ...own, ...shared, SANDBOX_URL: acquirer.origin, WORKER: 'off', DRAIN_MS: '2000' }
    const server = launch(env)
    const id = idOf(await server.ready())
    // At the acquirer and the 3-D Secure server of another process.
    await started(env.PORT, `/api/v1/checkouts/${id}`, CARD.number)
    const observer = await openPostgres(place.url)
    t.after(() => observer.close())
    const asNumber = async (text: string): Promise<number> => Number((await observer.rows(text))[0]?.['value'] ?? 0)
    await observer.rows('UPDATE checkouts SET valid_until = 1 WHERE id = $1', id)
    // A worker looks once a second: that nothing is done can only be waited for.
    await systemClock.sleep(1500)
    const expired = () => asNumber("SELECT count(*) AS value FROM checkouts WHERE status = 'expired'")
    assert.equal(await expired(), 0)
    const worker = launch({ ...(await ownEnv('does-work')), ...shared, WORKER: 'only' })
    await worker.ready()
    while ((await expired()) === 0) await systemClock.sleep(50)
    worker.child.kill('SIGTERM')
    assert.equal((await worker.ended).code, 0)
    const toldAt = systemClock.now()
    server.child.kill('SIGTERM')
    while ((await call(env.PORT, 'GET', '/readyz')).status !== 503);
    const isServed = () => call(env.PORT, 'GET', `/api/v1/checkouts/${id}`).then(({ status }) => status === 200)
    while (await isServed().catch(() => false)) await systemClock.sleep(50)
    const servedMs = systemClock.now() - toldAt
    // A timer may fire a millisecond early.
    assert.ok(servedMs >= Number(env.DRAIN_MS) - 1, String(servedMs))
    assert.equal((await server.ended).code, 0)
  })

  test('a port that stays taken is named after five seconds', async () => {
    const port = await takenPort()
    const waiting = launch({ ...(await ownEnv('taken')), PORT: port })
    const afterMs = await refusesWith(waiting, new RegExp(`^Port ${port} is taken\\. Stop what uses it, or start with`))
    assert.ok(afterMs >= 5000, String(afterMs))
  })

  test('a worker that is started before its server waits for the tables and creates none itself', async (t) => {
    const place = await createPostgresDatabase()
    t.after(place.drop)
    const observer = await openPostgres(place.url)
    t.after(() => observer.close())
    const worker = launch({ ...(await ownEnv('early')), DATABASE_URL: place.url, WORKER_ONLY: '1' })
    const workerAsks = `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'SELECT name FROM migrations%'`
    while ((await observer.rows(workerAsks)).length === 0) await systemClock.sleep(20)
    assert.deepEqual(await observer.rows(`SELECT 1 AS x FROM pg_tables WHERE schemaname = 'public'`), [])
    await observer.migrate(await readMigrations(), 0)
    await worker.ready()
    worker.child.kill('SIGTERM')
    assert.equal((await worker.ended).code, 0)
  })

  const broken: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    [
      'a database that refuses',
      { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/x' },
      /^DATABASE_URL: no connection to 127\.0\.0\.1:1\/x /,
    ],
    ['a port of two lines', { PORT: '30\n00' }, /^PORT is "30 00": set it to a number/],
    [
      'an address of another machine',
      { HOST: '192.0.2.1' },
      /^Cannot listen on HOST 192\.0\.2\.1, PORT \d+: .* Set HOST/,
    ],
  ]
  for (const [name, env, line] of broken) {
    test(`${name} is refused in one line that names the variable`, async () => {
      const server = launch({ ...(await ownEnv('broken')), DATA_DIR: join(folder, name), ...env })
      await refusesWith(server, line)
      assert.doesNotMatch(server.stderrLines().join(), /secret/)
    })
  }

  test('it ends with its parent also while it still waits for its port, and prints no error', async () => {
    const server = launch({ ...(await ownEnv('waiting')), PORT: await takenPort() })
    server.child.disconnect()
    assert.equal((await server.ended).code, 1)
    assert.deepEqual(server.stderrLines(), [])
  })

  /** Starts a payment that needs nothing but to be paid, and answers its order code. */
  const started = async (port: string, checkout: string, number: string): Promise<unknown> => {
    const start = () => call(port, 'POST', `${checkout}/3ds`, { card: { ...CARD, number } })
    let answer = await start()
    // The sandbox has half a second to answer that it is ready, which a busy machine may not give it.
    for (let tries = 0; answer.status === 503 && tries < 10; tries += 1) {
      await systemClock.sleep(2000)
      answer = await start()
    }
    const order = await field(answer, 'orderCode')
    assert.equal((await call(port, 'PATCH', `/api/v1/3ds/${String(order)}/authenticate`)).status, 200)
    return order
  }

  // One server after the other on the same data.
  describe('that is started again', { concurrency: 1 }, () => {
    let env: Awaited<ReturnType<typeof ownEnv>>
    let server: ServerProcess
    let openLink: string

    test('after a kill the next start has the same key and knows what was paid', async () => {
      env = await ownEnv('killed')
      const first = launch(env)
      const printed = await first.ready()
      const checkout = `/api/v1/checkouts/${idOf(printed)}`
      const order = await started(env.PORT, checkout, CARD.number)
      const paying = { cvc: CARD.cvc, receiptEmail: CARD.email }
      const answer: unknown = await (
        await call(env.PORT, 'PATCH', `${checkout}/3ds/${String(order)}/pay`, paying)
      ).json()
      first.child.kill('SIGKILL')
      await first.ended

      server = launch(env)
      const again = await server.ready()
      openLink = `/api/v1/checkouts/${idOf(again)}`
      assert.equal(again['merchant-key'], printed['merchant-key'])
      assert.notEqual(again['shopper'], printed['shopper'])
      assert.deepEqual(await (await call(env.PORT, 'GET', checkout)).json(), answer)
      assert.equal(await field(await call(env.PORT, 'GET', checkout), 'status'), 'paid')
      const booked = (await acquirer.listOrders()).filter(({ orderId }) => orderId === order)
      assert.deepEqual(
        booked.map(({ status }) => status),
        ['charged'],
      )
    })

    test('a charge whose shopper has closed the tab is recorded before the server ends', async () => {
      const order = String(await started(env.PORT, openLink, ANSWERED_LATE))
      const tab = new AbortController()
      const paying = fetch(`http://127.0.0.1:${env.PORT}${openLink}/3ds/${order}/pay`, {
        method: 'PATCH',
        headers: { merchant: 'demo', 'content-type': 'application/json' },
        body: JSON.stringify({ cvc: CARD.cvc, receiptEmail: CARD.email }),
        signal: tab.signal,
      })
      const isAsked = async () => (await acquirer.listOrders()).some(({ orderId }) => orderId === order)
      while (!(await isAsked())) await systemClock.sleep(20)
      tab.abort()
      await assert.rejects(paying)
      server.child.kill('SIGTERM')
      assert.equal((await server.ended).code, 0)
      const database = await openEmbedded(env.DATA_DIR)
      const attempts = await database.rows('SELECT state FROM attempts WHERE order_code = $1', order)
      await database.close()
      assert.deepEqual(
        attempts.map(({ state }) => state),
        ['charged'],
      )
    })

    test('the demo keeps the settings that it has been given, and replaces a key that a kill left half written', async () => {
      const database = await openEmbedded(env.DATA_DIR)
      await database.rows("UPDATE merchants SET settings = replace(settings, '#2f6b4f', '#123456')")
      await database.close()
      const file = join(env.DATA_DIR, 'demo-merchant-key')
      await writeFile(file, 'sk_te')
      const printed = await launch(env).ready()
      const { 'merchant-key': key } = printed
      assert.match(key ?? '', /^sk_test_[0-9a-f]{40}$/)
      assert.equal(await readFile(file, 'utf8'), `${key}\n`)
      assert.equal((await call(env.PORT, 'POST', '/merchant/v1/checkouts', { amount: 5 }, key)).status, 201)
      const read = await call(env.PORT, 'GET', `/api/v1/checkouts/${idOf(printed)}`)
      assert.match(await read.text(), /"colorCode":"#123456"/)
    })
  })
})
