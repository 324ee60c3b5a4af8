import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { readPageBuild, type PageBuild } from '../page-build.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'

describe('the files of the page', () => {
  let server: TestServer
  let build: PageBuild
  before(async () => {
    build = await readPageBuild()
    server = await openTestServer({ gateway: gatewayNotConfigured, build })
  })

  const get = (url: string, encoding?: string) =>
    server.app.inject({
      url,
      headers: { host: 'tea.localhost:3000', ...(encoding === undefined ? {} : { 'accept-encoding': encoding }) },
    })

  test('every script, style and drawing is compressed as its browser accepts it, and is the same file', async () => {
    assert.ok(build.assets.size > 10)
    for (const [address, { bytes }] of build.assets) {
      const plain = await get(address)
      assert.ok(plain.rawPayload.equals(bytes), address)
      assert.equal(plain.headers['content-encoding'], undefined)
      for (const [encoding, decompress] of Object.entries({ br: brotliDecompressSync, gzip: gunzipSync })) {
        const { headers, rawPayload } = await get(address, encoding)
        assert.equal(headers['content-encoding'], encoding, address)
        assert.equal(headers.vary, 'accept-encoding')
        assert.ok(decompress(rawPayload).equals(bytes), address)
      }
    }
  })

  test('a picture of pixels is sent as it is, and an unknown file is not found', async () => {
    const cover = await get('/demo/cover.jpg', 'br')
    assert.equal(cover.statusCode, 200)
    assert.equal(cover.headers['content-encoding'], undefined)
    for (const address of ['/assets/main.js', '/assets/../package.json', '/demo/other.jpg'])
      assert.equal((await get(address, 'br')).statusCode, 404, address)
  })
})
