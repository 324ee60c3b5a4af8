import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createNetServer, type AddressInfo, type Server } from 'node:net'
import { test, type TestContext } from 'node:test'
import { freePort } from '../harness/server-process.ts'
import { runFuzz, type FuzzReport } from './run-fuzz.ts'

/** Planted faults: a server that fails in one way, which a fuzz run must find and name. */

const OURS = { 'x-content-type-options': 'nosniff', 'content-type': 'text/plain' }

const fuzz = (port: number, requests = 300): Promise<FuzzReport> =>
  runFuzz({
    site: { port, base: 'localhost:3000', merchant: 'tea', key: 'k', asset: '/assets/a.js' },
    requests,
    seed: 7,
    connections: 4,
    heldMax: 0,
    givesWay: false,
    hangMs: 1500,
  })

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const serve = async (t: TestContext, answer: RequestListener): Promise<number> => {
  const server = createServer(answer)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return portOf(server)
}

/** Answers everything as an unknown page. */
const refuseAll: RequestListener = (request, response) => {
  request.resume()
  request.on('error', () => undefined)
  response.writeHead(400, OURS).end('no')
}

test('a server that refuses everything in good order has no problem', async (t) => {
  const report = await fuzz(await serve(t, refuseAll))
  assert.deepEqual(report.problems, [])
  assert.equal(report.requests, 300)
  assert.ok((report.statuses.get(400) ?? 0) > 250)
})

test('one 500 among hundreds of answers is found and named with its seed, episode and step', async (t) => {
  let answered = 0
  const port = await serve(t, (request, response) => {
    answered += 1
    request.resume()
    response.writeHead(answered === 200 ? 500 : 400, OURS).end('no')
  })
  const { problems } = await fuzz(port)
  assert.equal(problems.length, 1)
  assert.match(problems.join(), /^seed 7, episode \d+, step \d+: .*: answered 500$/)
})

test('a 500 to raw bytes is found too', async (t) => {
  // Only what is sent raw asks for the connection to be closed.
  const port = await serve(t, (request, response) => {
    request.resume()
    response.writeHead(request.headers.connection === 'close' ? 500 : 400, OURS).end('no')
  })
  const { problems } = await fuzz(port, 1500)
  assert.ok(problems.length > 0)
  assert.doesNotMatch(problems.join('\n'), /: (GET|POST|PATCH|DELETE) /)
})

test('a request that is never answered is a hang, and one whose connection is closed is named as that', async (t) => {
  const silent = createNetServer(() => undefined)
  t.after(() => silent.close())
  assert.match((await fuzz(await portOf(silent), 4)).problems.join('\n'), /no answer and no end/)
  const rude = createNetServer((socket) => socket.destroy())
  t.after(() => rude.close())
  assert.match((await fuzz(await portOf(rude), 4)).problems.join('\n'), /closed without an answer/)
})

test('a server that is gone ends the run early', async () => {
  const report = await fuzz(await freePort())
  assert.ok(report.requests < 60, String(report.requests))
  assert.match(report.problems.join('\n'), /the server takes no connection/)
})
