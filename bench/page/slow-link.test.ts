import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { test, type TestContext } from 'node:test'
import { listenDuring } from '../../proof/harness/end-server.ts'
import { startSlowLink, type LinkSpeed } from './slow-link.ts'

const FAST: LinkSpeed = { latencyMs: 0, bytesPerSecond: 1e9 }

/** A server that answers each request with its bytes so many times over, behind a link. Answers what a caller gets. */
const answerThrough = async (t: TestContext, speed: LinkSpeed, request: string, times: number): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('data', (data: Buffer) => socket.end(Buffer.concat(Array.from({ length: times }, () => data))))
  })
  const link = await startSlowLink(await listenDuring(t, server), speed)
  const browser = connect(link.port, '127.0.0.1')
  t.after(() => browser.destroy())
  t.after(link.stop)
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
