import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startControlServer } from './control-server.ts'

test('a page is sent compressed, a picture as it is, and nothing else is there', async (t) => {
  const page = { body: Buffer.from('<p>words</p>'.repeat(100)), mediaType: 'text/html; charset=utf-8' }
  const picture = { body: Buffer.from([255, 216, 0, 1]), mediaType: 'image/jpeg' }
  const server = await startControlServer(
    new Map([
      ['/card/ja', page],
      ['/demo/cover.jpg', picture],
    ]),
  )
  t.after(() => server.stop())
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`)
  const document = await get('/card/ja')
  assert.equal(document.headers.get('content-encoding'), 'br')
  // A process of its own, as the program's page has.
  assert.equal(document.headers.get('origin-agent-cluster'), '?1')
  assert.ok(Number(document.headers.get('content-length')) < 100)
  assert.equal(await document.text(), page.body.toString())
  const cover = await get('/demo/cover.jpg')
  assert.equal(cover.headers.get('content-encoding'), null)
  assert.deepEqual(Buffer.from(await cover.arrayBuffer()), picture.body)
  assert.equal((await get('/card/en')).status, 404)
})
