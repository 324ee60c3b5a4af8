import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { countedDatabase } from '../../../proof/harness/counted-database.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { readPageBuild } from '../../http/page-build.ts'
import { assetsByName } from '../../http/stored-assets.ts'
import { forgetSecretKey } from '../engine/secret-key-check.ts'
import { createAssetHmac, type PageAsset } from './page-asset-hmac.ts'
import { forgetOldAssets, isAssetName, readAssets, storeAssets } from './page-assets.ts'

const NOW = Date.parse('2026-11-15T03:00:00Z')
const [OLD_KEY, NEW_KEY, OTHER_KEY] = ['o'.repeat(32), 'n'.repeat(32), 'x'.repeat(32)]
const HMAC = createAssetHmac([OLD_KEY])

const scriptOf = (text: string): PageAsset => ({
  bytes: Buffer.from(text),
  mediaType: 'text/javascript; charset=utf-8',
  compressed: { br: Buffer.from(`br ${text}`), gzip: Buffer.from(`gzip ${text}`) },
})
const PIXELS: PageAsset = { bytes: Buffer.from([0, 255, 128]), mediaType: 'image/png', compressed: {} }
const ASSETS = new Map([
  ['main-AAAAAAAA.js', scriptOf('pay()')],
  ['ja-BBBBBBBB.js', scriptOf('支払う')],
  ['cover-CCCCCCCC.png', PIXELS],
])
const NAMES = [...ASSETS.keys()]

test('every file of the build has a name that is looked up', async () => {
  const names = [...assetsByName(await readPageBuild()).keys()]
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter((name) => !isAssetName(name)),
    [],
  )
})

onBothDatabases(({ open }) => {
  test('the files of a page are read as they were stored, and storing them again is one read', async () => {
    const database = countedDatabase(await open())
    await storeAssets(database, HMAC, ASSETS, NOW)
    const stored = await readAssets(database, HMAC, [...NAMES, 'none-DDDDDDDD.js'])
    assert.deepEqual(
      new Map([...stored].map(([name, { asset }]) => [name, asset])),
      new Map([...ASSETS].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    )
    assert.ok([...stored.values()].every(({ isGenuine }) => isGenuine))
    database.takeCost()
    await storeAssets(database, HMAC, ASSETS, NOW + DAY_MS - 1)
    assert.deepEqual(database.takeCost(), { statements: 1, transactions: 0 })
  })

  test('two servers of two releases store at the same moment, and the files of both are there', async () => {
    const database = await open()
    const other = new Map([...ASSETS, ['main-EEEEEEEE.js', scriptOf('pay(2)')]])
    await Promise.all([ASSETS, other, ASSETS, other].map((assets) => storeAssets(database, HMAC, assets, NOW)))
    assert.deepEqual(
      [...(await readAssets(database, HMAC, [...other.keys()])).keys()].toSorted(),
      [...other.keys()].toSorted(),
    )
  })

  test('a row with another name, type or byte than a server has stored is not genuine, and the next day it is mended', async () => {
    const database = await open()
    await storeAssets(database, HMAC, ASSETS, NOW)
    const genuine = async () =>
      [...(await readAssets(database, HMAC, NAMES))].filter(([, each]) => each.isGenuine).map(([name]) => name)
    const evil = Buffer.from('steal()').toString('base64')
    const [main = '', ja = ''] = NAMES
    const changes = [
      ['base64', evil],
      ['br_base64', evil],
      ['gzip_base64', null],
      ['media_type', 'text/html'],
      ['hmac', ''],
      ['hmac', createAssetHmac([OTHER_KEY]).sign(main, scriptOf('steal()'))],
      ['hmac', HMAC.sign(ja, scriptOf('支払う'))],
    ] as const
    for (const [at, [column, value]] of changes.entries()) {
      if (value === null) await database.rows('UPDATE page_assets SET gzip_base64 = NULL WHERE name = $1', main)
      else await database.rows(`UPDATE page_assets SET ${column} = $2 WHERE name = $1`, main, value)
      assert.deepEqual((await genuine()).toSorted(), NAMES.slice(1).toSorted(), column)
      await storeAssets(database, HMAC, ASSETS, NOW + (at + 1) * DAY_MS)
      assert.equal((await genuine()).length, NAMES.length, column)
    }
  })

  test('after a rotation of the secret key the earlier key verifies, and the next start signs anew', async () => {
    const database = await open()
    await storeAssets(database, HMAC, ASSETS, NOW)
    const genuineUnder = async (...keys: string[]): Promise<number> =>
      [...(await readAssets(database, createAssetHmac(keys), NAMES)).values()].filter((each) => each.isGenuine).length
    assert.deepEqual([await genuineUnder(NEW_KEY), await genuineUnder(NEW_KEY, OLD_KEY)], [0, NAMES.length])
    await storeAssets(database, createAssetHmac([NEW_KEY, OLD_KEY]), ASSETS, NOW)
    assert.deepEqual([await genuineUnder(NEW_KEY), await genuineUnder(OLD_KEY)], [NAMES.length, 0])
    await forgetSecretKey(database)
    assert.equal((await readAssets(database, HMAC, NAMES)).size, 0)
  })

  test('files are deleted when no server has stored them for a week, and a server that runs stores its own each day', async () => {
    const database = await open()
    const [[main, script] = assert.fail()] = ASSETS
    await storeAssets(database, HMAC, ASSETS, NOW)
    await storeAssets(database, HMAC, new Map([[main, script]]), NOW + DAY_MS)
    const left = async (now: number): Promise<number> => {
      while (await forgetOldAssets(database, now));
      return (await readAssets(database, HMAC, NAMES)).size
    }
    assert.deepEqual(
      [await left(NOW + 7 * DAY_MS), await left(NOW + 7 * DAY_MS + 1), await left(NOW + 8 * DAY_MS + 1)],
      [3, 1, 0],
    )
  })
})
