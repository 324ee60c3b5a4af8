import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test, type TestContext } from 'node:test'
import { endApp } from '../../../proof/harness/end-server.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { manualTimers } from '../../../proof/harness/test-clocks.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import {
  ANSWER_LIMIT_MS,
  answerHalfClosed,
  HALF_CLOSED_MS,
  limitPipelining,
  limitReadingTime,
  PIPELINED_LINGER_MS,
} from './connection-limits.ts'
import { readPageBuild } from '../page-build.ts'

/** Node's own limit of headers, and less than its own limit of a request: on a busy machine it may look late at its connections. */
const WITHOUT_OURS_MS = 60_000

describe('what Node itself refuses, and slow requests', { concurrency: true }, () => {
  let server: TestServer
  let port: number
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    port = portOf(server.app.server)
  })
  after(() => endApp(server.app))

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }

  const answerTo = async (request: string): Promise<string> => {
    const socket = await open()
    socket.end(request)
    return text(socket)
  }

  /** Sends one byte every 200 ms, and answers how long the connection was left open. */
  const drip = async (beginning: string): Promise<{ readonly ms: number; readonly answer: string }> => {
    const started = performance.now()
    const socket = await open()
    socket.write(beginning)
    const timer = setInterval(() => socket.writable && socket.write('a'), 200)
    socket.on('error', () => undefined)
    socket.on('close', () => clearInterval(timer))
    const answer = await text(socket).catch(() => '')
    return { ms: performance.now() - started, answer }
  }

  test('headers that arrive byte by byte are cut off after 6 seconds', async () => {
    const { ms, answer } = await drip('GET / HTTP/1.1\r\nHost: tea.localhost:3000\r\nX-Slow: ')
    assert.ok(ms > 4000 && ms < WITHOUT_OURS_MS, `${ms} ms`)
    assert.match(answer, /^HTTP\/1\.1 408 /)
  })

  test('a body that arrives byte by byte is cut off after 12 seconds', async () => {
    const { ms } = await drip(
      'POST /api/v1/checkouts/x/3ds HTTP/1.1\r\nHost: localhost:3000\r\nMerchant: tea\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n{',
    )
    assert.ok(ms < WITHOUT_OURS_MS, `${ms} ms`)
  })

  const REFUSED: Readonly<Record<string, readonly [request: string, status: number]>> = {
    'without a Host header': ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    'with two Host headers': [
      'GET / HTTP/1.1\r\nHost: tea.localhost:3000\r\nHost: books.localhost:3000\r\nConnection: close\r\n\r\n',
      400,
    ],
    'with the address of another host as its target': [
      'GET http://evil.example/ HTTP/1.1\r\nHost: tea.localhost:3000\r\nConnection: close\r\n\r\n',
      400,
    ],
    'with an unknown expectation': [
      'GET / HTTP/1.1\r\nHost: tea.localhost:3000\r\nExpect: a miracle\r\nConnection: close\r\n\r\n',
      417,
    ],
    'that is none': ['hello\r\n\r\n', 400],
    'with an address of 33 KB': [`GET /${'a'.repeat(33 * 1024)} HTTP/1.1\r\nHost: tea.localhost:3000\r\n\r\n`, 414],
  }
  for (const [what, [request, status]] of Object.entries(REFUSED)) {
    test(`a request ${what} is refused with ${status}, under our headers and in plain words`, async () => {
      const answer = await answerTo(request)
      assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
      for (const header of [
        'x-content-type-options: nosniff',
        "content-security-policy: default-src 'none'",
        'cache-control: no-store',
      ])
        assert.ok(answer.toLowerCase().includes(header), `${header} in ${answer}`)
      assert.match(answer, /\r\n\r\n[^<{]+\n$/)
    })
  }

  test('an upload that its sender breaks off writes no error line', async () => {
    for (const path of ['/api/v1/checkouts/x/3ds', '/merchant/v1/checkouts', '/nowhere', '/csp-report']) {
      const socket = await open()
      const head = `POST ${path} HTTP/1.1\r\nHost: tea.localhost:3000\r\nMerchant: tea\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"a"`
      await new Promise((written) => socket.write(head, written))
      socket.destroy()
      await once(socket, 'close')
    }
    await answerTo('GET /healthz HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n')
    assert.deepEqual(
      server.logLines.filter((line) => line.includes('"level":"error"')),
      [],
    )
  })
})

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Listens until the test is over, and connects to it. */
const openConnections = async (t: TestContext, server: Server) => {
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return async (sent: string): Promise<{ readonly client: Socket; readonly atServer: Socket }> => {
    const client = connect(portOf(server), '127.0.0.1')
    t.after(() => client.destroy())
    const [atServer] = (await once(server, 'connection')) as [Socket]
    client.on('error', () => undefined).write(sent)
    return { client, atServer }
  }
}

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise(setImmediate)
}

describe('a caller that takes its answer slowly', () => {
  const SECOND_MS = 1000

  /** An answer of which so many bytes wait for the caller, second by second; tells after how many seconds it was ended. */
  const endedAfter = (waitingIn: (second: number) => number): number | null => {
    const timers = manualTimers()
    let [second, ended]: [number, number | null] = [0, null]
    const answer = {
      once: () => undefined,
      destroy: () => {
        ended ??= second
      },
      get writableLength() {
        return waitingIn(second)
      },
    }
    limitReadingTime(answer, timers.start)
    for (second = 1; second <= 300; second += 1) timers.pass(SECOND_MS)
    return ended
  }

  test('loses the connection when something has waited for it for a minute', () => {
    const always = endedAfter(() => 1)
    assert.equal(always, ANSWER_LIMIT_MS / SECOND_MS)
  })

  test('keeps an export that rests beside payments for longer than a minute', () => {
    const atTimes = endedAfter((second) => (second % 10 === 0 ? 16_384 : 0))
    assert.equal(atTimes, null)
  })

  test('loses it also when it takes a little now and then', () => {
    const everySecondTime = endedAfter((second) => (second % 2 === 0 ? 0 : 16_384))
    assert.equal(everySecondTime, 119)
  })

  test('no timer is left of an answer that was read', async (t) => {
    const timers = manualTimers()
    const begun: string[] = []
    const server = createServer(({ url = '' }, response) => {
      limitReadingTime(response, timers.start)
      begun.push(url)
      response.end('small')
    })
    const open = await openConnections(t, server)
    const { client } = await open('GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(client, 'data')
    await until(() => begun.length === 1 && timers.running() === 0)
  })

  test('is limited at every answer of the server', async (t) => {
    const read = await readPageBuild()
    // More than the system takes off our hands.
    const large = { bytes: Buffer.alloc(16 * 1024 * 1024), mediaType: 'text/javascript', compressed: {} }
    const build = { ...read, assets: new Map(read.assets).set(read.entry, large) }
    const { app } = await openTestServer({ gateway: fakeGateway(), build })
    t.after(() => endApp(app))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const client = connect(portOf(app.server), '127.0.0.1')
    t.after(() => client.destroy())
    const [atServer] = (await once(app.server, 'connection')) as [Socket]
    t.mock.timers.enable({ apis: ['setTimeout'] })
    client.on('error', () => undefined).write(`GET ${build.entry} HTTP/1.1\r\nHost: tea.localhost:3000\r\n\r\n`)
    // The limit was set before the first byte was written.
    await until(() => atServer.writableLength > 0)
    for (let second = 1; second < ANSWER_LIMIT_MS / SECOND_MS; second += 1) t.mock.timers.tick(SECOND_MS)
    assert.equal(atServer.destroyed, false)
    t.mock.timers.tick(SECOND_MS)
    assert.equal(atServer.destroyed, true)
  })
})

describe('connections of callers that do not wait for their answers', () => {
  /** A server that answers when it is told to. */
  const openHeld = async (t: TestContext) => {
    const waiting: ServerResponse[] = []
    const timers = manualTimers()
    const server = createServer((_request, response) => waiting.push(response))
    answerHalfClosed(server, timers.start)
    limitPipelining(server, timers.start)
    const open = await openConnections(t, server)
    return { waiting, timers, send: (requests: number) => open(REQUEST.repeat(requests)) }
  }
  const REQUEST = 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n'

  test('one that shuts its side after its request is answered within two seconds, and then its connection ends', async (t) => {
    const { waiting, timers, send } = await openHeld(t)
    const answered = await send(1)
    answered.client.end()
    await until(() => waiting.length === 1 && answered.atServer.readableEnded)
    assert.equal(answered.atServer.destroyed, false)
    waiting[0]?.end('taken')
    assert.match(await text(answered.client), /^HTTP\/1\.1 200 [^]*taken/)
    const unanswered = await send(1)
    unanswered.client.end()
    await until(() => waiting.length === 2 && unanswered.atServer.readableEnded && timers.running() === 1)
    timers.pass(HALF_CLOSED_MS - 1)
    assert.equal(unanswered.atServer.destroyed, false)
    timers.pass(1)
    assert.equal(unanswered.atServer.destroyed, true)
  })

  test('eight requests of one connection wait for their answers; further ones are not looked at, and it ends two seconds later', async (t) => {
    const { waiting, timers, send } = await openHeld(t)
    const eight = await send(8)
    await until(() => waiting.length === 8)
    assert.equal(eight.atServer.isPaused(), false)
    for (const response of waiting.splice(0)) response.end()
    await until(() => eight.atServer.bytesWritten > 0)
    eight.client.write(REQUEST.repeat(8))
    await until(() => waiting.length === 8)
    const more = await send(100)
    await until(() => more.atServer.isPaused())
    assert.equal(waiting.length, 16)
    timers.pass(PIPELINED_LINGER_MS - 1)
    assert.deepEqual([eight.atServer.destroyed, more.atServer.destroyed], [false, false])
    timers.pass(1)
    assert.deepEqual([eight.atServer.destroyed, more.atServer.destroyed], [false, true])
  })
})
