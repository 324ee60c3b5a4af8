import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import { freePort, isPortTaken, occupyPort } from '../../proof/harness/server-process.ts'
import { openListeners, type Listeners } from './listeners.ts'

const HOST = '127.0.0.1'

const appThatAnswers = (): FastifyInstance => {
  const app = fastify({ forceCloseConnections: 'idle' })
  app.get('/', async () => 'ok')
  return app
}

/** One whose answer nobody reads would keep the process. */
const connectDuring = (t: TestContext, port: number): Socket => {
  const socket = connect(port, HOST)
  t.after(() => socket.destroy())
  return socket
}

const openDuring = async (t: TestContext, app: FastifyInstance, port: number): Promise<Listeners> => {
  const listeners = await openListeners(app, { port, host: HOST })
  t.after(async () => {
    app.server.closeAllConnections()
    await listeners.close()
  })
  return listeners
}

test('whichever socket a connection comes to, it is answered, and after the close nobody listens', async (t) => {
  const port = await freePort()
  const listeners = await openDuring(t, appThatAnswers(), port)
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = connectDuring(t, port)
      socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      return text(socket)
    }),
  )
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 200 /)
  await listeners.close()
  assert.equal(await isPortTaken(String(port)), false)
})

test('closing waits for a connection that is still open, whichever socket it came to', async (t) => {
  const port = await freePort()
  const app = appThatAnswers()
  const answers: (() => void)[] = []
  app.get('/late', () => new Promise((resolve) => answers.push(() => resolve('late'))))
  const listeners = await openDuring(t, app, port)
  const sockets = Array.from({ length: 20 }, () => connectDuring(t, port))
  for (const socket of sockets) socket.write('GET /late HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  while (answers.length < sockets.length) await new Promise(setImmediate)
  let isClosed = false
  const closed = listeners.close().then(() => (isClosed = true))
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  assert.equal(isClosed, false)
  for (const answer of answers) answer()
  for (const socket of sockets) assert.match(await text(socket), /^HTTP\/1\.1 200 /)
  await closed
})

test('a call that is sent on an open connection after the close has begun is answered', async (t) => {
  const port = await freePort()
  const listeners = await openDuring(t, appThatAnswers(), port)
  const sockets = Array.from({ length: 20 }, () => connectDuring(t, port))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const closed = listeners.close()
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  for (const socket of sockets) assert.match(await text(socket), /^HTTP\/1\.1 200 /)
  await closed
})

test('closing ends an answer that is not read, a request that does not go on and idle connections, and waits for a payment', async (t) => {
  const port = await freePort()
  const app = appThatAnswers()
  const ended = Promise.withResolvers<void>()
  const paid = Promise.withResolvers<string>()
  const begun: string[] = []
  app.addHook('onRequest', async ({ url }) => void begun.push(url))
  app.get('/export', (_request, reply) => {
    reply.raw.once('close', ended.resolve)
    const rows = Readable.from(
      (function* () {
        for (;;) yield 'row\n'.repeat(10_000)
      })(),
    )
    return reply.send(rows)
  })
  app.get('/pay', () => paid.promise)
  app.post('/upload', async () => 'taken')
  const listeners = await openDuring(t, app, port)
  const open = (sent: string): Socket => {
    const socket = connectDuring(t, port)
    socket.on('error', () => undefined).write(sent)
    return socket
  }
  open('GET /export HTTP/1.1\r\nHost: localhost\r\n\r\n').pause()
  const others = [
    open('POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nContent-Type: text/plain\r\n\r\nabc'),
    open('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    open('GET / HT'),
    open(''),
  ].map((socket) => once(socket.resume(), 'close'))
  const paying = open('GET /pay HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  while (begun.length < 4) await new Promise(setImmediate)
  const closed = listeners.close()
  await Promise.all([...others, ended.promise])
  assert.equal(paying.readableEnded, false)
  paid.resolve('paid')
  assert.match(await text(paying), /^HTTP\/1\.1 200 [^]*paid$/)
  await closed
})

test('a port that another program or another server of ours has is not shared with it', async (t) => {
  const { port: taken, server } = await occupyPort()
  t.after(() => server.close())
  await assert.rejects(openDuring(t, appThatAnswers(), taken), { code: 'EADDRINUSE' })
  const port = await freePort()
  await openDuring(t, appThatAnswers(), port)
  await assert.rejects(openDuring(t, appThatAnswers(), port), { code: 'EADDRINUSE' })
})
