import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createMetricsListener } from './metrics-listener.ts'
import { readMigrations } from '../store/engine/migrate.ts'
import { openPostgres } from '../store/engine/postgres.ts'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import {
  freePort,
  isPortTaken,
  occupyPort,
  spawnServer,
  type ServerProcess,
} from '../../proof/harness/server-process.ts'

describe('the metrics port', () => {
  test('it answers GET and HEAD of /metrics as Prometheus text, refuses all else with what to use instead, and stops while a scrape is open', async (t) => {
    let answer: (() => Promise<string>) | undefined
    const listener = createMetricsListener(() => answer?.() ?? Promise.resolve('kaikei_database_up 1\n'))
    t.after(listener.stop)
    await listener.stop()
    const port = await freePort()
    await listener.listen(port)
    const call = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })
    const scraped = await call('/metrics')
    assert.deepEqual(
      [scraped.status, scraped.headers.get('content-type'), await scraped.text()],
      [200, 'text/plain; version=0.0.4; charset=utf-8', 'kaikei_database_up 1\n'],
    )
    assert.equal((await call('/metrics?name[]=x')).status, 200)
    const head = await call('/metrics', 'HEAD')
    assert.deepEqual([head.status, await head.text()], [200, ''])
    const posted = await call('/metrics', 'POST')
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
    for (const path of ['/', '/metrics/', '/healthz', '/api/v1/checkouts/x']) {
      const missed = await call(path)
      assert.deepEqual([missed.status, await missed.text()], [404, 'The metrics are at /metrics.\n'])
    }
    answer = () => Promise.reject(new Error('a bug'))
    assert.equal((await call('/metrics')).status, 500)

    const scrapeBegan = Promise.withResolvers<void>()
    answer = () => {
      scrapeBegan.resolve()
      return new Promise(() => {})
    }
    const hanging = connect(port, '127.0.0.1')
    hanging.write(`GET /metrics HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`)
    await scrapeBegan.promise
    const ended = once(hanging.resume(), 'close')
    await listener.stop()
    await ended
    assert.equal(await isPortTaken(String(port)), false)
  })
})

/** The status of a call with this Host, and without one. */
const statusWithHost = async (port: number, host: string | null): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  const [version, header] = host === null ? ['1.0', ''] : ['1.1', `host: ${host}\r\n`]
  socket.write(`GET /metrics HTTP/${version}\r\n${header}connection: close\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks).toString().split(' ')[1] ?? ''
}

test('the metrics port answers names of this machine with its own port alone, so that no page of a browser there reads it', async (t) => {
  let scrapes = 0
  const listener = createMetricsListener(async () => {
    scrapes += 1
    return ''
  })
  t.after(listener.stop)
  const port = await freePort()
  await listener.listen(port)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
    assert.equal(await statusWithHost(port, host), '200', host)
  assert.equal(scrapes, 4)
  for (const host of [
    null,
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `evil.localhost:${port}`,
    `localhost.:${port}`,
    `127.0.0.2:${port}`,
    'localhost',
    `localhost:${port + 1}`,
    `localhost:${port}, evil.example`,
  ])
    assert.equal(await statusWithHost(port, host), '421', String(host))
  assert.equal(scrapes, 4)
})

test('where METRICS_HOST is another address, it and every address are answered, and still no name of a page', async (t) => {
  const listener = createMetricsListener(async () => '', '0.0.0.0')
  t.after(listener.stop)
  const port = await freePort()
  await listener.listen(port)
  for (const host of [`10.0.0.5:${port}`, `[fd00::5]:${port}`, `127.0.0.1:${port}`, `localhost:${port}`])
    assert.equal(await statusWithHost(port, host), '200', host)
  for (const host of [
    null,
    `evil.example:${port}`,
    '10.0.0.5',
    `10.0.0.5:${port + 1}`,
    `10.0.0.5.evil.example:${port}`,
  ])
    assert.equal(await statusWithHost(port, host), '421', String(host))
  await listener.stop()
  const named = createMetricsListener(async () => '', 'localhost')
  t.after(named.stop)
  await named.listen(port)
  assert.equal(await statusWithHost(port, `Localhost:${port}`), '200')
})

describe('the metrics of a process', { concurrency: 4 }, () => {
  let folder: string
  const running: ServerProcess[] = []
  const occupied: Server[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-metrics-'))
  })
  after(async () => {
    for (const { child, ended } of running) {
      child.kill('SIGKILL')
      await ended
    }
    for (const server of occupied) server.close()
    await rm(folder, { recursive: true, force: true })
  })

  const launch = async (name: string, env: Record<string, string>) => {
    const own = { PORT: String(await freePort()), METRICS_PORT: String(await freePort()), DATA_DIR: join(folder, name) }
    const serverEnv = { ...own, SANDBOX: 'off', ...env }
    const server = spawnServer(serverEnv)
    running.push(server)
    return { server, env: serverEnv }
  }
  const scrape = async (port: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    assert.equal(answer.status, 200)
    return answer.text()
  }
  const stopsCleanly = async ({ child, ended }: ServerProcess): Promise<void> => {
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  }

  test('a server serves metrics on their own port and on this machine alone, never on the port of merchants and shoppers', async () => {
    const { server, env } = await launch('server', { HOST: '0.0.0.0' })
    await server.ready()
    assert.equal((await fetch(`http://127.0.0.1:${env.PORT}/healthz`)).status, 200)
    const text = await scrape(env.METRICS_PORT)
    assert.match(text, /^kaikei_database_up 1$/m)
    assert.match(text, /^kaikei_payments_in_long_doubt 0$/m)
    assert.match(text, /^kaikei_http_answers_total\{method="GET",route="\/healthz",status="200"\} 1$/m)
    const served = await fetch(`http://127.0.0.1:${env.PORT}/metrics`, { redirect: 'manual' })
    assert.doesNotMatch(await served.text(), /kaikei_/)
    // All of 127.0.0.0/8 is this machine: whoever listens on 0.0.0.0 answers here too.
    await assert.rejects(fetch(`http://127.0.0.2:${env.METRICS_PORT}/metrics`))
    await stopsCleanly(server)
  })

  test('a worker serves metrics too, and while its database is down it reports that and keeps running', async () => {
    const place = await createPostgresDatabase()
    const database = await openPostgres(place.url)
    await database.migrate(await readMigrations(), 0)
    await database.close()
    const { server, env } = await launch('worker', { WORKER_ONLY: '1', DATABASE_URL: place.url })
    await server.ready()
    assert.match(await scrape(env.METRICS_PORT), /^kaikei_payments_in_doubt 0$/m)
    await place.drop()
    const text = await scrape(env.METRICS_PORT)
    assert.match(text, /^kaikei_database_up 0$/m)
    assert.doesNotMatch(text, /in_doubt/)
    assert.match(await scrape(env.METRICS_PORT), /^kaikei_alarms_total 0$/m)
    await stopsCleanly(server)
  })

  test('a metrics port that stays taken ends the start with one line that names the variable', async () => {
    const { port, server: occupant } = await occupyPort()
    occupied.push(occupant)
    const { server } = await launch('taken', { METRICS_PORT: String(port) })
    assert.equal((await server.ended).code, 1)
    assert.deepEqual(
      [server.stdoutLines(), server.stderrLines()],
      [[], [`METRICS_PORT ${port} is taken. Stop what uses it, set another one, or unset it for no metrics.`]],
    )
  })
})
