import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test, type TestContext } from 'node:test'
import { manualTimers } from '../../../proof/harness/test-clocks.ts'
import { ENDING_MS, limitConnections, type ConnectionLimits } from './connection-table.ts'

const LIMITS: ConnectionLimits = { total: 4, perNetwork: 2, ending: 10 }

/** A server that answers when it is told to. */
const openServer = async (t: TestContext, limits: Partial<ConnectionLimits> = {}, proxies: readonly string[] = []) => {
  const server = createServer()
  const timers = manualTimers()
  const table = limitConnections(server, proxies, { ...LIMITS, ...limits }, timers.start)
  const requests: { request: IncomingMessage; response: ServerResponse }[] = []
  server.on('request', (request, response) => requests.push({ request, response }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const open = async (from = '127.0.0.1'): Promise<{ readonly client: Socket; readonly atServer: Socket }> => {
    const client = connect({ port, host: '127.0.0.1', localAddress: from })
    t.after(() => client.destroy())
    client.on('error', () => undefined)
    const [[atServer]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
    return { client, atServer: atServer as Socket }
  }
  /** Sends a request, and answers how the table is told about it. */
  const send = async ({ client }: { readonly client: Socket }) => {
    const before = requests.length
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    while (requests.length === before) await new Promise(setImmediate)
    const sent = requests.at(-1) ?? assert.fail()
    return { ...sent, note: (state: 'waits' | 'works' | 'pays' | null) => table.note(sent.request.socket, sent, state) }
  }
  const isEnding = ({ atServer }: { readonly atServer: Socket }): boolean => table.isEnding(atServer)
  return { open, send, isEnding, pass: timers.pass }
}

describe('too many connections', () => {
  test('of one network the longest open one that is idle ends two seconds later, and until then it is answered', async (t) => {
    const { open, send, isEnding, pass } = await openServer(t)
    const [first, second] = [await open(), await open()]
    assert.deepEqual([first, second].map(isEnding), [false, false])
    const third = await open()
    assert.deepEqual([first, second, third].map(isEnding), [true, false, false])
    const { response } = await send(first)
    response.end('ok')
    assert.match(String(await once(first.client, 'data')), /^HTTP\/1.1 200/)
    pass(ENDING_MS - 1)
    assert.equal(first.atServer.destroyed, false)
    pass(1)
    assert.equal(first.atServer.destroyed, true)
    assert.deepEqual(
      [second, third].map(({ atServer }) => atServer.destroyed),
      [false, false],
    )
  })

  test('one that only waits ends before one that works, and one that is idle before both', async (t) => {
    const { open, send, isEnding } = await openServer(t, { perNetwork: 3, total: 10 })
    const [works, waits, idle] = [await open(), await open(), await open()]
    ;(await send(works)).note('works')
    ;(await send(waits)).note('waits')
    const more = await open()
    assert.deepEqual([works, waits, idle, more].map(isEnding), [false, false, true, false])
    ;(await send(more)).note('works')
    await open()
    assert.deepEqual([works, waits, more].map(isEnding), [false, true, false])
  })

  test('where a payment is under way on each of them, the new one is refused with 503 and Retry-After', async (t) => {
    const { open, send, isEnding, pass } = await openServer(t)
    const paying = [await open(), await open()]
    for (const connection of paying) (await send(connection)).note('pays')
    const refused = await open()
    pass(ENDING_MS)
    const answer = await text(refused.client)
    assert.match(answer, /^HTTP\/1\.1 503 /)
    assert.match(answer, /\r\nretry-after: 2\r\n[^]*\r\n\r\nToo many connections/)
    assert.deepEqual(paying.map(isEnding), [false, false])
    assert.deepEqual(
      paying.map(({ atServer }) => atServer.destroyed),
      [false, false],
    )
  })

  test('a request that has ended keeps no connection, and a connection that has closed counts no more', async (t) => {
    const { open, send, isEnding } = await openServer(t)
    const [first, second] = [await open(), await open()]
    const { note } = await send(first)
    note('pays')
    note(null)
    second.client.destroy()
    await once(second.atServer, 'close')
    const third = await open()
    assert.deepEqual([first, third].map(isEnding), [false, false])
    await open()
    assert.equal(isEnding(first), true)
  })

  test('over all the network with the most loses one, also to a network that has none', async (t) => {
    const { open, isEnding } = await openServer(t, { perNetwork: 3 })
    const few = await open('127.0.0.1')
    const many = [await open('127.0.0.2'), await open('127.0.0.2'), await open('127.0.0.2')]
    await open('127.0.0.3')
    assert.deepEqual([few, ...many].map(isEnding), [false, true, false, false])
  })

  test('a trusted proxy has more than one network may have', async (t) => {
    const { open, isEnding } = await openServer(t, { perNetwork: 1 }, ['127.0.0.0/30', '::1'])
    const ofProxy = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')]
    assert.deepEqual(ofProxy.map(isEnding), [false, false, false])
    const other = await open('127.0.0.4')
    await open('127.0.0.4')
    assert.equal(isEnding(other), true)
  })

  test('of those that are about to end no more are kept than there may be', async (t) => {
    const { open } = await openServer(t, { perNetwork: 1, ending: 1 })
    const [first, second] = [await open(), await open()]
    assert.equal(first.atServer.destroyed, false)
    await open()
    assert.deepEqual(
      [first, second].map(({ atServer }) => atServer.destroyed),
      [true, false],
    )
  })
})
