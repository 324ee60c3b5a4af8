import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import fastify from 'fastify'
import { endApp } from '../../../proof/harness/end-server.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { virtualClock } from '../../../proof/harness/test-clocks.ts'
import { API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { isPayment } from '../../store/engine/urgency.ts'
import { LANES, type LaneTable } from './lane-table.ts'
import { laneRoutes } from './route-lanes.ts'

const handler = async (): Promise<string> => 'ok'
const files = { config: { lane: 'files' } } as const

/** A server with one place for files, whose handler answers when it is told to. */
const openLanes = async (
  t: TestContext,
  table: LaneTable = { ...LANES, files: { ...LANES.files, atOnce: 1 } },
  note: (state: string | null) => void = () => undefined,
) => {
  const { deps } = await openTestServer({ gateway: fakeGateway() })
  const app = fastify()
  laneRoutes(app, deps, {
    table,
    connections: { note: (_socket, _request, state) => note(state) },
  })
  const waiting: (() => void)[] = []
  app.get('/held', files, async () => new Promise((resolve) => waiting.push(() => resolve('held'))))
  app.get('/file', files, handler)
  for (const lane of ['files', 'forms', 'notifications'] as const) app.post(`/${lane}`, { config: { lane } }, handler)
  t.after(() => endApp(app))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise(setImmediate)
  }
  return { app, port, waiting, until }
}

describe('every route has its lane', () => {
  test('a route that names none cannot be added', async () => {
    const { deps } = await openTestServer({ gateway: fakeGateway() })
    const app = fastify()
    laneRoutes(app, deps, {
      table: LANES,
      connections: { note: () => undefined },
    })
    app.get('/named', files, handler)
    assert.throws(() => app.get('/forgotten', handler), /GET \/forgotten does not name its lane/)
  })

  test('no route of the payment lanes reads a body of more than 8 KiB, whatever limit it names', async () => {
    const { deps } = await openTestServer({ gateway: fakeGateway() })
    const app = fastify()
    laneRoutes(app, deps, { table: LANES, connections: { note: () => undefined } })
    const payment = { config: { lane: 'payment' } } as const
    app.post('/pay', payment, handler)
    app.register(async (plugin) => {
      plugin.post('/event', { ...payment, bodyLimit: 64 * 1024 }, handler)
    })
    const sent = async (url: string, bytes: number): Promise<number> => {
      const headers = { 'content-type': 'application/json' }
      return (await app.inject({ method: 'POST', url, headers, payload: '{}'.padEnd(bytes) })).statusCode
    }
    for (const url of ['/pay', '/event'])
      assert.deepEqual([await sent(url, 8 * 1024), await sent(url, 8 * 1024 + 1)], [200, 413], url)
  })

  test('the connection of a start that waits may end for another one, and that of a payment under way may not', async () => {
    const { deps } = await openTestServer({ gateway: fakeGateway() })
    const app = fastify()
    const noted: (string | null)[] = []
    const table = { ...LANES, starts: { ...LANES.starts, atOnce: 0 } }
    const lanes = laneRoutes(app, deps, {
      table,
      connections: { note: (_socket, _request, state) => noted.push(state) },
    })
    app.post('/start/:checkoutId', { config: { lane: 'payment' } }, handler)
    app.post('/pay/:orderCode', { config: { lane: 'payment' } }, handler)
    lanes.noteCheckout('known')
    lanes.noteOrder('begun')
    await app.inject({ method: 'POST', url: '/pay/begun' })
    assert.ok(noted.splice(0).includes('pays'))
    void app.inject({ method: 'POST', url: '/start/known' })
    while (noted.length < 2) await new Promise(setImmediate)
    assert.deepEqual(noted, ['waits', 'waits'])
  })

  test('a call about an order that the server has begun is worked on as a payment, and no start', async () => {
    const { deps } = await openTestServer({ gateway: fakeGateway() })
    const app = fastify()
    const lanes = laneRoutes(app, deps, { table: LANES, connections: { note: () => undefined } })
    const tellUrgency = async (): Promise<string> => (isPayment() ? 'payment' : 'other')
    app.post('/start/:checkoutId', { config: { lane: 'payment' } }, tellUrgency)
    app.post('/pay/:orderCode', { config: { lane: 'payment', lookUp: async () => 'stored' } }, tellUrgency)
    app.get('/file', files, tellUrgency)
    lanes.noteCheckout('known')
    lanes.noteOrder('begun')
    const told = async (method: 'GET' | 'POST', url: string): Promise<string> =>
      (await app.inject({ method, url })).body
    assert.deepEqual(
      [
        await told('POST', '/pay/begun'),
        // Found only by a look at the database, such as after a restart.
        await told('POST', '/pay/looked-up'),
        await told('POST', '/start/known'),
        await told('GET', '/file'),
      ],
      ['payment', 'payment', 'other', 'other'],
    )
  })

  test('the place of a caller that hangs up is free when its handler has ended, and not before', async (t) => {
    const { app, port, waiting, until } = await openLanes(t)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => waiting.length === 1)
    let closed = false
    app.server.once('connection', (other) => other.destroy())
    socket.once('close', () => (closed = true)).destroy()
    await until(() => closed)
    let isAnswered = false
    const next = app.inject('/file').then((answer) => {
      isAnswered = true
      return answer.statusCode
    })
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    assert.equal(isAnswered, false)
    waiting[0]?.()
    assert.equal(await next, 200)
  })

  test('requests that are sent one behind the other on a connection that then closes keep no place', async (t) => {
    const { app, port, waiting, until } = await openLanes(t)
    const request = 'GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const socket = connect(port, '127.0.0.1')
    const [atServer] = await Promise.all([once(app.server, 'connection'), once(socket, 'connect')])
    socket.write(request.repeat(5))
    await until(() => waiting.length === 1)
    socket.resetAndDestroy()
    await until(() => (atServer[0] as { destroyed: boolean }).destroyed)
    waiting[0]?.()
    assert.equal((await app.inject('/file')).statusCode, 200)
    assert.equal(waiting.length, 1, 'none of the others was begun')
  })

  test('a body that is on its way holds no place, and its connection may end for another until it has arrived', async (t) => {
    const noted: (string | null)[] = []
    const one = { ...LANES.files, atOnce: 1 }
    const { port, until } = await openLanes(t, { ...LANES, files: one, forms: one, notifications: one }, (state) =>
      noted.push(state),
    )
    for (const lane of ['files', 'forms', 'notifications'] as const) {
      const headOf = (bytes: number): string =>
        `POST /${lane} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
      const slow = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
      for (const socket of slow) socket.write(`${headOf(900)}{`)
      await until(() => noted.length === slow.length)
      assert.deepEqual(noted.splice(0), ['waits', 'waits', 'waits'], lane)
      const honest = connect(port, '127.0.0.1')
      let answer = ''
      honest.on('data', (chunk) => (answer += chunk.toString()))
      honest.write(`${headOf(2)}{}`)
      await until(() => answer !== '')
      assert.match(answer, /^HTTP\/1\.1 200 /, lane)
      assert.deepEqual(noted.splice(0), ['waits', 'waits', 'works', null], lane)
      for (const socket of [...slow, honest]) socket.destroy()
      await until(() => noted.length === slow.length)
      noted.splice(0)
    }
  })
})

describe('calls of merchants', () => {
  test('a call of one merchant goes on while another has as many calls under way as it may', async () => {
    let isHeld = true
    const waiting: (() => void)[] = []
    const base = await openTestServer({ gateway: fakeGateway() })
    const { database } = base.deps
    const held: typeof database = {
      ...database,
      rows: async (text, ...values) => {
        if (isHeld && text.includes('FROM checkouts') && values.includes('tea-id'))
          await new Promise<void>((resolve) => waiting.push(resolve))
        return database.rows(text, ...values)
      },
    }
    const server = await openTestServer({ gateway: fakeGateway(), database: held })
    const list = (key: string) =>
      server.app.inject({
        url: '/merchant/v1/checkouts',
        headers: { host: 'localhost:3000', authorization: `Bearer ${key}` },
      })
    const ofTea = Array.from({ length: 10 }, () => list(API_KEYS.tea))
    while (waiting.length < LANES.costlyCalls.atOncePerCaller) await new Promise(setImmediate)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    assert.equal(waiting.length, LANES.costlyCalls.atOncePerCaller)
    assert.equal((await list(API_KEYS.books)).statusCode, 200)
    isHeld = false
    for (const resume of waiting) resume()
    for (const answer of await Promise.all(ofTea)) assert.equal(answer.statusCode, 200)
  })

  test('a body that is sent slowly keeps no place: other creations of the same merchant go on', async (t) => {
    const server = await openTestServer({ gateway: fakeGateway() })
    t.after(() => endApp(server.app))
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    const slow = Array.from({ length: LANES.creates.atOnce + 1 }, () => connect(port, '127.0.0.1'))
    let keysRead = 0
    server.app.server.on('request', () => (keysRead += 1))
    for (const socket of slow)
      socket.write(
        `POST /merchant/v1/checkouts HTTP/1.1\r\nHost: localhost:3000\r\nAuthorization: Bearer ${API_KEYS.tea}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
      )
    while (keysRead < slow.length) await new Promise(setImmediate)
    assert.match(await server.createCheckout(), /^[a-z2-7]{32}$/)
    for (const socket of slow) socket.destroy()
  })

  for (const [path, host] of [
    ['/merchant/v1x', 'localhost:3000'],
    ['/merchant/v1;x', 'localhost:3000'],
    ['/merchant/v1', 'localhost:3000'],
    ['/merchant/%761/x', 'localhost:3000'],
    ['/console/v1x', 'localhost:3000'],
    ['/console/v1/x', 'console.localhost:3000'],
  ] as const)
    test(`a body that is sent slowly to ${path} keeps no place: keys are looked up and people sign in`, async (t) => {
      const server = await openTestServer({ gateway: fakeGateway() })
      await server.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = server.app.server.address() as AddressInfo
      const slow = Array.from({ length: LANES.consoleCalls.atOnce + 1 }, () => connect(port, '127.0.0.1'))
      t.after(() => {
        for (const socket of slow) socket.destroy()
        return server.app.close()
      })
      let arrived = 0
      server.app.server.on('request', () => (arrived += 1))
      const head = `Host: ${host}\r\nOrigin: http://${host}\r\nAuthorization: Bearer ${API_KEYS.books}\r\n`
      for (const socket of slow)
        socket.write(`POST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{`)
      while (arrived < slow.length) await new Promise(setImmediate)
      const me = await server.app.inject({
        url: '/merchant/v1/me',
        headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
      })
      assert.equal(me.statusCode, 200)
      const atConsole = { host: 'console.localhost:3000', origin: 'http://console.localhost:3000' }
      const signIn = await server.app.inject({
        method: 'POST',
        url: '/console/v1/sign-in',
        headers: atConsole,
        payload: {},
      })
      assert.equal(signIn.statusCode, 200)
    })

  test('a call with a key that was accepted before does not wait behind any number of made-up keys', async () => {
    const waiting: (() => void)[] = []
    const base = await openTestServer({ gateway: fakeGateway() })
    const { database } = base.deps
    let isHeld = false
    const held: typeof database = {
      ...database,
      rows: async (text, ...values) => {
        if (isHeld && text.includes('FROM api_keys')) await new Promise<void>((resolve) => waiting.push(resolve))
        return database.rows(text, ...values)
      },
    }
    const server = await openTestServer({ gateway: fakeGateway(), database: held })
    const me = (key: string) =>
      server.app.inject({ url: '/merchant/v1/me', headers: { host: 'localhost:3000', authorization: `Bearer ${key}` } })
    assert.equal((await me(API_KEYS.tea)).statusCode, 200)
    isHeld = true
    const madeUp = Array.from({ length: 50 }, (_, each) => me(`sk_test_${String(each + 22).padStart(32, 'q')}`))
    while (waiting.length < LANES.keyChecks.atOncePerCaller) await new Promise(setImmediate)
    isHeld = false
    assert.equal((await me(API_KEYS.tea)).statusCode, 200)
    assert.equal(waiting.length, LANES.keyChecks.atOncePerCaller)
    for (const resume of waiting) resume()
    for (const answer of await Promise.all(madeUp)) assert.equal(answer.statusCode, 401)
  })
})

test('pieces of reports run one at a time, and rest three times as long as they took until 250 ms after a step of a payment', async () => {
  const clock = virtualClock(0)
  const { deps } = await openTestServer({ gateway: fakeGateway(), clock })
  const app = fastify()
  const lanes = laneRoutes(app, deps, {
    table: LANES,
    connections: { note: () => undefined },
  })
  app.get('/pay/:orderCode', { config: { lane: 'payment' } }, handler)
  lanes.noteOrder('known')
  const began: number[] = []
  const piece = async (ms: number): Promise<void> => {
    await lanes.nextPiece()
    began.push(clock.now())
    clock.advance(ms)
  }
  await Promise.all([piece(20), piece(5), piece(5)])
  assert.deepEqual(began.splice(0), [0, 20, 25])
  await app.inject('/pay/known')
  await Promise.all([piece(20), piece(40), piece(5), piece(5)])
  assert.deepEqual(began, [45, 125, 280, 285])
  await app.close()
})
