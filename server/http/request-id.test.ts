import assert from 'node:assert/strict'
import { connect, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { endApp } from '../../proof/harness/end-server.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { scriptedThreeDSServer } from '../../proof/harness/fake-three-ds-servers.ts'
import { CARD, openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { isId, randomId } from '../ids.ts'

const ID = /^[a-z2-7]{32}$/

describe('the Request-Id of an answer', () => {
  let server: TestServer
  const threeDS = scriptedThreeDSServer()
  let port: number
  before(async () => {
    server = await openTestServer({ gateway: fakeGateway(), threeDSServer: threeDS })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    port = (server.app.server.address() as AddressInfo).port
  })
  after(() => endApp(server.app))

  const linesOf = (id: unknown): Record<string, unknown>[] =>
    server.logLines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ request }) => request === id)

  test('is fresh for each, and nothing that a caller sends becomes part of it', async () => {
    const sent = 'x'.repeat(32)
    const ids: unknown[] = []
    for (let call = 0; call < 3; call += 1) {
      const headers = { host: 'localhost:3000', 'request-id': sent, 'x-request-id': sent }
      const answer = await server.app.inject({ url: '/healthz', headers })
      ids.push(answer.headers['request-id'])
    }
    assert.equal(new Set(ids).size, 3)
    for (const id of ids) assert.match(String(id), ID)
    assert.equal(server.logLines.join().includes(sent), false)
  })

  test('stands in every log line of its request, also of one with a body, and in no other', async () => {
    threeDS.answers.start = { outcome: 'unavailable', why: 'no answer' }
    const checkouts = [await server.createCheckout(), await server.createCheckout()]
    // Over a real connection: a body that comes in by itself is read outside of what the request's head began.
    const answers = await Promise.all(
      checkouts.map((id) =>
        fetch(`http://127.0.0.1:${port}/api/v1/checkouts/${id}/3ds`, {
          method: 'POST',
          headers: { merchant: 'tea', 'content-type': 'application/json' },
          body: JSON.stringify({ card: CARD }),
        }),
      ),
    )
    assert.equal(new Set(answers.map(({ headers }) => headers.get('request-id'))).size, 2)
    for (const { status, headers } of answers) {
      assert.equal(status, 503)
      assert.deepEqual(
        linesOf(headers.get('request-id')).map(({ msg }) => msg),
        ['3-D Secure could not be started', 'answered'],
      )
    }
    server.logLines.length = 0
    server.deps.log.info('a worker works')
    assert.deepEqual(
      linesOf(undefined).map(({ msg }) => msg),
      ['a worker works'],
    )
  })

  test('stands in the line of a call that failed', async () => {
    const failing = await openTestServer({ gateway: fakeGateway() })
    await failing.deps.database.close()
    const answer = await failing.readCheckout('a'.repeat(32))
    assert.equal(answer.statusCode, 500)
    const [line] = failing.logLines.map((each) => JSON.parse(each) as Record<string, unknown>)
    assert.deepEqual([line?.['msg'], line?.['request']], ['a call failed', answer.headers['request-id']])
  })

  test('is there on what reaches no route as well', async () => {
    const send = (text: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text))
        let answer = ''
        socket.on('data', (part) => {
          answer += String(part)
          if (!answer.includes('\r\n\r\n')) return
          socket.destroy()
          resolve(answer)
        })
        socket.on('error', reject)
      })
    const requests = [
      'this is no HTTP\r\n\r\n',
      'GET /%zz HTTP/1.1\r\nhost: localhost:3000\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'POST /healthz HTTP/1.1\r\nhost: localhost:3000\r\nexpect: a miracle\r\ncontent-length: 1\r\n\r\n',
      'GET /nowhere/at/all HTTP/1.1\r\nhost: localhost:3000\r\n\r\n',
    ]
    const ids: (string | undefined)[] = []
    for (const request of requests) ids.push(/^request-id: ([a-z2-7]{32})\r$/m.exec(await send(request))?.[1])
    assert.equal(new Set(ids).size, requests.length, ids.join())
    assert.ok(ids.every((id) => id !== undefined))
  })
})

test('random ids are ids, and no two are the same, however many are made', () => {
  const ids = Array.from({ length: 1000 }, randomId)
  assert.ok(ids.every(isId))
  assert.equal(new Set(ids).size, ids.length)
})

test('every place of a random id takes every character', () => {
  const ids = Array.from({ length: 2000 }, randomId)
  for (let place = 0; place < 32; place += 1) assert.equal(new Set(ids.map((id) => id[place])).size, 32, String(place))
})
