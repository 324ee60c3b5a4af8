import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test, type TestContext } from 'node:test'
import { startSlowLink, type LinkSpeed } from './slow-link.ts'

const FAST: LinkSpeed = { latencyMs: 0, bytesPerSecond: 1e9 }

/** A server that answers each request with its bytes so many times over, behind a link. Answers what a caller gets. */
const answerThrough = async (t: TestContext, speed: LinkSpeed, request: string, times: number): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('data', (data: Buffer) => socket.end(Buffer.concat(Array.from({ length: times }, () => data))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const link = await startSlowLink(typeof address === 'object' && address !== null ? address.port : 0, speed)
  t.after(async () => {
    await link.stop()
    server.close()
  })
  const browser = connect(link.port, '127.0.0.1')
  browser.write(request)
  const received: string[] = []
  for await (const data of browser.setEncoding('utf8')) received.push(String(data))
  return received.join('')
}

test('every byte of an answer arrives, in its order', async (t) => {
  const request = Array.from({ length: 500 }, (_, place) => `line ${place};`).join('')
  assert.equal(await answerThrough(t, FAST, request, 30), request.repeat(30))
})

test('an answer takes at least its latency and its bytes at the rate of the link', async (t) => {
  const began = performance.now()
  const bytes = (await answerThrough(t, { latencyMs: 40, bytesPerSecond: 100_000 }, 'x'.repeat(100), 50)).length
  const tookMs = performance.now() - began
  assert.equal(bytes, 5000)
  // A timer of Node may fire a millisecond early.
  assert.ok(tookMs >= 40 + 50 - 2, `${tookMs} ms`)
})
