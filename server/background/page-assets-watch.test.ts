import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { silentLog } from '../../proof/harness/silent-log.ts'
import { virtualClock } from '../../proof/harness/test-clocks.ts'
import { createAssetHmac } from '../store/page/page-asset-hmac.ts'
import { readAssets } from '../store/page/page-assets.ts'
import { startPageAssetsWatch } from './page-assets-watch.ts'

const HMAC = createAssetHmac(['k'.repeat(32)])
const NAME = 'main-AAAAAAAA.js'
const ASSETS = new Map([[NAME, { bytes: Buffer.from('pay()'), mediaType: 'text/javascript', compressed: {} }]])

test('before a server draws its first page the files of it are stored, and it starts also where they cannot be', async () => {
  const database = await openSqliteInMemory()
  const clock = virtualClock()
  const warnings: string[] = []
  const log = { ...silentLog, warn: (event: string) => void warnings.push(event) }
  const watch = await startPageAssetsWatch({ database, clock, log }, HMAC, ASSETS)
  watch.stop()
  assert.equal((await readAssets(database, HMAC, [NAME])).size, 1)
  assert.deepEqual(warnings, [])
  const full = { ...database, rows: () => Promise.reject(new Error('disk full')) }
  const idle = await startPageAssetsWatch({ database: full, clock, log }, HMAC, ASSETS)
  idle.stop()
  assert.deepEqual(warnings, ['the files of the page could not be stored for other servers'])
})
