import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { readPageBuild, type PageBuild } from '../page-build.ts'
import { countedDatabase, type CountedDatabase } from '../../../proof/harness/counted-database.ts'
import { openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { createTestApp, openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { createAssetHmac, type PageAsset } from '../../store/page/page-asset-hmac.ts'
import { storeAssets } from '../../store/page/page-assets.ts'
import { assetsByName, createStoredAssets } from '../stored-assets.ts'

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

describe('two releases that run beside each other', () => {
  const OLD = '/assets/ja-OLD00000.js'
  const NEW = '/assets/ja-NEW00000.js'
  const hmac = createAssetHmac(['k'.repeat(32)])
  const scriptOf = (text: string): PageAsset => ({
    bytes: Buffer.from(text),
    mediaType: 'text/javascript; charset=utf-8',
    compressed: { br: brotliCompressSync(text), gzip: gzipSync(text) },
  })
  let database: CountedDatabase
  let server: TestServer
  let builds: Record<'older' | 'newer', PageBuild>
  before(async () => {
    const build = await readPageBuild()
    const buildWith = (address: string): PageBuild => ({
      ...build,
      assets: new Map([...build.assets, [address, scriptOf(address)]]),
    })
    builds = { older: buildWith(OLD), newer: buildWith(NEW) }
    database = countedDatabase(await openSqliteInMemory())
    server = await openTestServer({ gateway: gatewayNotConfigured, database })
  })

  /** As `server/serve.ts` starts it. */
  const startServer = async (release: 'older' | 'newer') => {
    const build = builds[release]
    await storeAssets(server.deps.database, hmac, assetsByName(build), server.clock.now())
    const app = await createTestApp(server.deps, build, { findStoredAsset: createStoredAssets(server.deps, hmac) })
    return (url: string, encoding = '') =>
      app.inject({ url, headers: { host: 'tea.localhost:3000', 'accept-encoding': encoding } })
  }
  const alarms = (): number => server.logLines.filter((line) => line.includes('its HMAC is wrong')).length

  test('each serves the files of the other’s page, with the same bytes and headers as the other', async () => {
    const older = await startServer('older')
    const newer = await startServer('newer')
    for (const [address, own, other] of [
      [OLD, older, newer],
      [NEW, newer, older],
    ] as const)
      for (const encoding of ['', 'gzip', 'br']) {
        const [mine, theirs] = [await own(address, encoding), await other(address, encoding)]
        const factsOf = ({ statusCode, headers, rawPayload }: typeof mine) => {
          const { 'request-id': _fresh, date: _now, ...same } = headers
          return { statusCode, headers: same, body: rawPayload.toString('base64') }
        }
        assert.equal(theirs.statusCode, 200)
        assert.equal(theirs.headers['content-encoding'], encoding === '' ? undefined : encoding)
        assert.deepEqual(factsOf(theirs), factsOf(mine))
      }
  })

  test('a file that is asked for again within a minute is not read again', async () => {
    const newer = await startServer('newer')
    await newer(OLD)
    database.takeCost()
    await Promise.all([newer(OLD), newer(OLD, 'br')])
    assert.equal(database.takeCost().statements, 0)
  })

  test('a file that somebody has changed in the database is not found, and a person is called', async () => {
    await startServer('older')
    const newer = await startServer('newer')
    const evil = Buffer.from('steal()').toString('base64')
    await database.rows('UPDATE page_assets SET base64 = $1, br_base64 = $1 WHERE name = $2', evil, 'ja-OLD00000.js')
    for (const encoding of ['', 'br']) {
      const { statusCode, headers, body } = await newer(OLD, encoding)
      assert.equal(statusCode, 404)
      assert.equal(headers['cache-control'], 'no-store')
      assert.ok(!body.includes('steal'))
    }
    assert.equal(alarms(), 1)
    await database.rows('DELETE FROM page_assets')
  })

  test('what cannot be the name of a file is not found without a question to the database', async () => {
    const newer = await startServer('newer')
    database.takeCost()
    for (const name of [
      '..%2fmain-AAAAAAAA.js',
      '%2e%2e/%2e%2e/package.json',
      'more/main-AAAAAAAA.js',
      'main-AAAAAAAA.js%00',
      'main-AAAAAAAA.JS',
      `main-AAAAAAAA'.js`,
      'main-AAAAAAAA',
      '.js',
      '',
      `${'a'.repeat(10_000)}.js`,
    ])
      assert.equal((await newer(`/assets/${name}`)).statusCode, 404, name)
    assert.equal(database.takeCost().statements, 0)
  })
})
