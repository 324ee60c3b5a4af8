import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { listenDuring } from '../../proof/harness/end-server.ts'
import { askHttpDate, readHttpDate } from './acquirer-time.ts'

test('a Date header is read as RFC 9110 has it, and nothing else is', () => {
  assert.equal(readHttpDate('Tue, 17 Nov 2026 09:00:00 GMT'), Date.parse('2026-11-17T09:00:00Z'))
  for (const other of [
    null,
    '',
    '2026',
    '2026-11-17T09:00:00Z',
    'Tue, 17 Nov 2026 09:00:00',
    'Tue, 99 Nov 2026 09:00:00 GMT',
  ])
    assert.equal(readHttpDate(other), null, String(other))
})

test('the time of an acquirer is that of its answer, whatever its status; one that does not answer has none', async (t) => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { date: 'Tue, 17 Nov 2026 09:00:00 GMT' }).end('no')
  })
  const port = await listenDuring(t, server)
  const address = `http://127.0.0.1:${port}/`
  assert.equal(await askHttpDate(address), Date.parse('2026-11-17T09:00:00Z'))
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
  assert.equal(await askHttpDate(address), null)
})
