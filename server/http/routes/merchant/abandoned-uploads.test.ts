import assert from 'node:assert/strict'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { endApp } from '../../../../proof/harness/end-server.ts'
import { openSqliteInMemory } from '../../../../proof/harness/databases.ts'
import { API_KEYS } from '../../../../proof/harness/test-merchants.ts'
import { openTestServer, type TestServer } from '../../../../proof/harness/test-server.ts'
import { virtualClock } from '../../../../proof/harness/test-clocks.ts'
import { LANES } from '../../limits/lane-table.ts'
import { gatewayNotConfigured } from '../../../gateways/not-configured.ts'
import { tinyPng } from '../../../pictures/testing/fixtures.ts'
import type { Database } from '../../../store/engine/database.ts'

/** As many as are checked at the same time; nobody waits. */
const UPLOADS_MAX = 2
const lanes = { ...LANES, uploads: { ...LANES.uploads, atOnce: UPLOADS_MAX, waiting: 0 } }

type Held = 'rows' | 'transact'

/** A database that answers when it is told to, as one at the other end of a network would. */
const heldDatabase = (database: Database) => {
  let holds: Held | null = null
  const waiting: (() => void)[] = []
  const heldUp = async (call: Held): Promise<void> => {
    if (holds === call) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return {
    waiting,
    hold: (call: Held) => (holds = call),
    release: () => {
      holds = null
      for (const resume of waiting.splice(0)) resume()
    },
    database: {
      ...database,
      rows: async (...args) => heldUp('rows').then(() => database.rows(...args)),
      transact: async (work) => heldUp('transact').then(() => database.transact(work)),
    } satisfies Database,
  }
}

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve))
}

describe('uploads whose callers hang up', () => {
  let held: ReturnType<typeof heldDatabase>
  let server: TestServer
  let closed = 0
  before(async () => {
    held = heldDatabase(await openSqliteInMemory())
    server = await openTestServer({
      gateway: gatewayNotConfigured,
      database: held.database,
      lanes,
      clock: virtualClock(),
    })
    server.app.server.on('connection', (socket) => socket.once('close', () => (closed += 1)))
    await server.app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => endApp(server.app))

  const { url, headers } = {
    url: '/merchant/v1/settings/logo',
    headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
  }
  const put = async (): Promise<number> =>
    (await server.app.inject({ method: 'PUT', url, headers, payload: tinyPng() })).statusCode

  const upload = (): Socket => {
    const { port } = server.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const picture = tinyPng()
    const head = Object.entries({ ...headers, 'content-length': picture.length }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(Buffer.concat([Buffer.from(`PUT ${url} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`), picture]))
    return socket
  }
  /** Until the server knows of it. */
  const hangUp = async (sockets: readonly Socket[]): Promise<void> => {
    closed = 0
    for (const socket of sockets) socket.resetAndDestroy()
    await until(() => closed === sockets.length)
    await new Promise((resolve) => setImmediate(resolve))
  }

  test('before their key was read are not counted for ever', async (t) => {
    t.after(held.release)
    held.hold('rows')
    const sockets = Array.from({ length: UPLOADS_MAX }, upload)
    await until(() => held.waiting.length === UPLOADS_MAX)
    await hangUp(sockets)
    held.release()
    assert.equal(await put(), 200)
  })

  test('while their pictures are checked and stored are counted until that has ended', async (t) => {
    t.after(held.release)
    held.hold('transact')
    const sockets = Array.from({ length: UPLOADS_MAX }, upload)
    await until(() => held.waiting.length === UPLOADS_MAX)
    await hangUp(sockets)
    const letIn = until(() => held.waiting.length !== UPLOADS_MAX).then(() => 'let in')
    assert.equal(await Promise.race([put(), letIn]), 503)
    held.release()
    await until(async () => (await put()) === 200)
  })
})
