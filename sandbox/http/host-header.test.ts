/** Host header: the acquirer, the 3-D Secure API, the card list and the request log answer the local hosts alone. */
import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { listenOnFreePort, makeTemporaryFolder, startSandboxProcess } from '../testing/acquirer.ts'
import { routeByHost } from './hosts.ts'
import { json } from './router.ts'

interface Answer {
  readonly status: number
  readonly body: string
}

type Headers = Readonly<Record<string, string>>

const send = (port: number, path: string, headers: Headers, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    sending.once('error', reject)
    sending.end()
  })

/** Sends lines that no HTTP client would send, and returns the status of the answer. */
const sendLines = async (port: number, ...lines: readonly string[]): Promise<number> => {
  const socket = connect(port, '127.0.0.1')
  socket.end(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(await text(socket))?.[1])
}

/** What a stranger must not reach, with the status that a caller on this machine gets. */
const LOCAL_PATHS: readonly (readonly [method: string, path: string, status: number])[] = [
  ['GET', '/acquirer/v1/health', 200],
  ['GET', '/acquirer/v1/orders', 200],
  ['POST', '/acquirer/v1/orders/order-1/charge', 400],
  ['POST', '/acquirer/v1/orders/order-2/fence', 200],
  ['POST', '/api/v2/auth/enrol', 400],
  ['POST', '/api/v2/auth/brw/init', 400],
  ['POST', '/api/v2/auth/brw', 400],
  ['GET', '/api/v2/auth/brw/result', 400],
  ['GET', '/api/v2/auth/brw/result/monitor', 200],
  ['POST', '/api/v2/auth/challenge/status', 400],
  ['GET', '/three-ds/v1/requests', 200],
  ['GET', '/', 200],
]

const THREE_DS_HOST = '3ds-server.pay.example'
const BANK_HOST = 'bank.pay.example'

const startBehindProxy = async (t: TestContext, change: Headers = {}): Promise<number> => {
  const origins = { 'three-ds-origin': `https://${THREE_DS_HOST}`, 'bank-origin': `https://${BANK_HOST}` }
  const { client } = await startSandboxProcess(t, makeTemporaryFolder(t), 0, { ...origins, ...change })
  return client.port
}

test('127.0.0.1 and localhost with the port of the sandbox get an answer', async (t) => {
  const port = await startBehindProxy(t, { 'request-log': 'on' })
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
    for (const [method, path, status] of LOCAL_PATHS) {
      assert.equal((await send(port, path, { host }, method)).status, status, `${host} ${method} ${path}`)
    }
  }
})

test('every other host gets a plain 404 for them', async (t) => {
  const port = await startBehindProxy(t, { 'request-log': 'on' })
  const strangers = [
    '127.0.0.1',
    'localhost',
    `127.0.0.1:${port + 1}`,
    `localhost:${port - 1}`,
    '127.0.0.1:443',
    'localhost:80',
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port}:${port}`,
    `127.0.0.1.:${port}`,
    `localhost.:${port}`,
    `127.0.0.1:${port}.`,
    `LOCALHOST:${port}`,
    `Localhost:${port}`,
    `[::1]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `127.0.0.2:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0.0.0.0:${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}, ${BANK_HOST}`,
    `127.0.0.1:${port}/`,
    `pay.example:${port}`,
    `localhost.pay.example:${port}`,
    `api.localhost:${port}`,
    'pay.example',
    BANK_HOST,
    `${BANK_HOST}.`,
    `${BANK_HOST}:443`,
    `${BANK_HOST}.:443`,
    `${BANK_HOST}:${port}`,
    BANK_HOST.toUpperCase(),
    THREE_DS_HOST,
    `${THREE_DS_HOST}.`,
    `${THREE_DS_HOST}:443`,
    `${THREE_DS_HOST}:${port}`,
  ]
  for (const host of strangers) {
    for (const [method, path] of LOCAL_PATHS) {
      const answer = await send(port, path, { host }, method)
      assert.deepEqual(answer, { status: 404, body: '{"error":"not_found"}' }, `${host} ${method} ${path}`)
    }
  }
  assert.equal(await sendLines(port, 'GET /acquirer/v1/health HTTP/1.1', 'Host:'), 404)
  const orders = await send(port, '/acquirer/v1/orders', { host: `127.0.0.1:${port}` })
  assert.equal(orders.body, '{"items":[],"after":null}', 'no stranger has fenced an order')
  const log = await send(port, '/three-ds/v1/requests', { host: `127.0.0.1:${port}` })
  assert.equal(log.body, '{"items":[]}', 'no stranger’s request is in the log')
})

test('a header that names another host is not believed', async (t) => {
  const port = await startBehindProxy(t)
  const local = `127.0.0.1:${port}`
  for (const host of [BANK_HOST, `${BANK_HOST}:443`, 'pay.example']) {
    const claims: readonly Headers[] = [
      { 'X-Forwarded-Host': local },
      { 'X-Forwarded-Server': local, 'X-Forwarded-Port': String(port) },
      { 'X-Original-Host': local },
      { 'X-Host': local },
      { Forwarded: `for=127.0.0.1;host="${local}"` },
    ]
    for (const claim of claims) {
      assert.equal((await send(port, '/acquirer/v1/health', { host, ...claim })).status, 404, JSON.stringify(claim))
    }
  }
  const toBank = { host: BANK_HOST, 'X-Forwarded-Host': 'pay.example' }
  assert.equal((await send(port, '/method', toBank, 'POST')).status, 400, 'the bank is still found by its host')
})

test('the public hosts still show their pages', async (t) => {
  const port = await startBehindProxy(t)
  assert.equal((await send(port, '/method', { host: BANK_HOST }, 'POST')).status, 400)
  assert.equal((await send(port, '/method-notification', { host: THREE_DS_HOST }, 'POST')).status, 400)
  for (const host of [`${BANK_HOST}:443`, `${BANK_HOST}.`, `127.0.0.1:${port}`, THREE_DS_HOST]) {
    assert.equal((await send(port, '/method', { host }, 'POST')).status, 404, host)
  }
})

test('two Host headers, or none, are refused, whatever they say', async (t) => {
  const port = await startBehindProxy(t)
  const health = 'GET /acquirer/v1/health HTTP/1.1'
  const local = `Host: 127.0.0.1:${port}`
  assert.equal(await sendLines(port, health, local), 200)
  assert.equal(await sendLines(port, health, local, `Host: ${BANK_HOST}`), 400)
  assert.equal(await sendLines(port, health, `Host: ${BANK_HOST}`, local), 400)
  assert.equal(await sendLines(port, health, local, local), 400)
  assert.equal(await sendLines(port, health), 400)
  assert.equal(await sendLines(port, 'GET /acquirer/v1/health HTTP/1.0'), 400)
})

test('a host in the request line is not believed', async (t) => {
  const port = await startBehindProxy(t)
  const line = `GET http://127.0.0.1:${port}/acquirer/v1/health HTTP/1.1`
  assert.equal(await sendLines(port, line, `Host: ${BANK_HOST}`), 404)
  assert.equal(await sendLines(port, line, `Host: 127.0.0.1:${port}`), 404)
})

test('without being asked for, there is no request log on any host', async (t) => {
  const port = await startBehindProxy(t)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, BANK_HOST, THREE_DS_HOST]) {
    assert.equal((await send(port, '/three-ds/v1/requests', { host })).status, 404, host)
  }
})

test('on port 80, which clients leave out, the local hosts answer with and without it', async (t) => {
  const statusesAt = async (port: number, ...hosts: readonly string[]): Promise<number[]> => {
    const local = [{ method: 'GET', path: '/', handle: () => json(200, {}) }] as const
    const origins = { threeDS: `https://${THREE_DS_HOST}`, bank: `https://${BANK_HOST}`, checkouts: '' }
    const listener = routeByHost({ local, threeDS: [], bank: [] }, origins, port)
    const realPort = await listenOnFreePort(t, createServer(listener))
    return Promise.all(hosts.map(async (host) => (await send(realPort, '/', { host })).status))
  }
  assert.deepEqual(
    await statusesAt(80, '127.0.0.1', 'localhost', '127.0.0.1:80', 'localhost:80', 'LOCALHOST', 'localhost.', 'x'),
    [200, 200, 200, 200, 404, 404, 404],
  )
  assert.deepEqual(await statusesAt(81, '127.0.0.1:81', 'localhost:81', '127.0.0.1', 'localhost'), [200, 200, 404, 404])
  assert.deepEqual(
    await statusesAt(8080, '127.0.0.1', 'localhost', '127.0.0.1:80', 'localhost:80'),
    [404, 404, 404, 404],
  )
})
