import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSqliteInMemory } from '../../proof/harness/databases.ts'
import { silentLog } from '../../proof/harness/silent-log.ts'
import { createAssetHmac } from '../store/page/page-asset-hmac.ts'
import { storeAssets } from '../store/page/page-assets.ts'
import { createStoredAssets } from './stored-assets.ts'

const HMAC = createAssetHmac(['k'.repeat(32)])
const SCRIPT = { bytes: Buffer.from('pay()'), mediaType: 'text/javascript', compressed: {} }
const NAME = 'main-AAAAAAAA.js'

/** A database whose reads wait until they are let through, or fail. */
const openHeld = async () => {
  const database = await openSqliteInMemory()
  await storeAssets(database, HMAC, new Map([[NAME, SCRIPT]]), 0)
  const reads: (PromiseWithResolvers<void> & { readonly names: number })[] = []
  const rows: typeof database.rows = async (text, ...names) => {
    const held = { ...Promise.withResolvers<void>(), names: names.length }
    reads.push(held)
    await held.promise
    return database.rows(text, ...names)
  }
  const find = createStoredAssets({ database: { ...database, rows }, log: silentLog, elapsed: () => 0 }, HMAC)
  return { reads, find }
}

test('strangers who invent a hundred names keep one connection busy: one read at a time, for all that came meanwhile', async () => {
  const { reads, find } = await openHeld()
  const first = find('invented-0.js')
  const others = Array.from({ length: 100 }, (_none, at) => find(`invented-${at + 1}.js`))
  const shopper = [find(NAME), find(NAME)]
  assert.deepEqual(
    reads.map(({ names }) => names),
    [1],
  )
  reads[0]?.resolve()
  assert.equal(await first, null)
  assert.equal(reads.length, 2)
  reads[1]?.resolve()
  assert.ok((await Promise.all(others)).every((asset) => asset === null))
  for (const asset of await Promise.all(shopper)) assert.deepEqual(asset?.bytes, SCRIPT.bytes)
  assert.equal(reads.length, 2)
})

test('a read that fails is told to all who waited for it, and the next one is read', async () => {
  const { reads, find } = await openHeld()
  const waiting = find(NAME)
  reads[0]?.reject(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  const again = find(NAME)
  assert.equal(reads.length, 2)
  reads[1]?.resolve()
  assert.deepEqual((await again)?.bytes, SCRIPT.bytes)
})
