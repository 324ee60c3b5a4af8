import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { readPageBuild } from '../page-build.ts'

const report = (directive: string) => JSON.stringify({ 'csp-report': { 'effective-directive': directive } })

test('a thousand reports of one directive in ten seconds are one line of the log', async () => {
  const { app, clock, logLines } = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
  const send = async (directive: string): Promise<void> => {
    const headers = { host: 'tea.localhost:3000', 'content-type': 'application/csp-report' }
    const answer = await app.inject({ method: 'POST', url: '/csp-report', headers, payload: report(directive) })
    assert.equal(answer.statusCode, 204)
  }
  const linesOf = (directive: string): number =>
    logLines.filter((line) => line.includes('blocked something') && line.includes(`"${directive}"`)).length
  for (let count = 0; count < 1000; count += 1) await send('script-src')
  assert.equal(linesOf('script-src'), 1)
  await send('img-src')
  assert.equal(linesOf('img-src'), 1)
  clock.advance(10_000)
  await send('script-src')
  assert.equal(linesOf('script-src'), 2)
})

test('directives that somebody invents are one line of the log, and hide none that a browser reports', async () => {
  const { app, logLines } = await openTestServer({ gateway: fakeGateway(), build: await readPageBuild() })
  const headers = { host: 'tea.localhost:3000', 'content-type': 'application/csp-report' }
  for (let count = 0; count < 200; count += 1) {
    const name = Array.from(String(count), (digit) => 'abcdefghij'[Number(digit)]).join('')
    await app.inject({ method: 'POST', url: '/csp-report', headers, payload: report(`x-${name}`) })
  }
  const linesOf = (word: string): number =>
    logLines.filter((line) => line.includes('blocked something') && line.includes(word)).length
  assert.deepEqual([linesOf('"unknown"'), linesOf('')], [1, 1])
  await app.inject({ method: 'POST', url: '/csp-report', headers, payload: report('script-src-elem') })
  assert.deepEqual([linesOf('"script-src-elem"'), linesOf('')], [1, 2])
})
