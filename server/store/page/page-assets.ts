/** Page assets: the files of every release that runs or ran lately, each with an HMAC under the secret key. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { changeNextBatch, type BatchedChange } from '../engine/change-in-batches.ts'
import { integer, text, textOrNull } from '../engine/columns.ts'
import type { Row, Sql } from '../engine/database.ts'
import { insertRecords, padToFixedSizes } from '../engine/write.ts'
import type { AssetHmac, PageAsset } from './page-asset-hmac.ts'

/** A server that runs for months stores its assets again, so that they are not deleted while pages of it are open. */
const STORED_AGAIN_MS = DAY_MS
/** Assets are deleted seven days after a server of their release last stored them. A page that was opened before is loaded anew. */
const KEPT_MS = 7 * DAY_MS

/** What a build may call a file. Nothing else is looked up. */
const ASSET_NAME = /^[\w-]{1,100}\.[a-z0-9]{2,5}$/

export const isAssetName = (name: string): boolean => ASSET_NAME.test(name)

const marksOf = (names: readonly string[]): string => names.map((_name, at) => `$${at + 1}`).join(', ')

/**
 * Stores the assets that are missing, were changed, have the HMAC of an earlier secret key, or were last stored a day ago. One
 * read where there are none. Sorted: two servers that store at once lock the rows in the same order.
 */
export const storeAssets = async (
  sql: Sql,
  hmac: AssetHmac,
  assets: ReadonlyMap<string, PageAsset>,
  now: Instant,
): Promise<void> => {
  const signed = [...assets]
    .map(([name, asset]) => ({ name, asset, hmac: hmac.sign(name, asset) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const names = signed.map(({ name }) => name)
  const rows = await sql.rows(
    `SELECT name, hmac, stored_at FROM page_assets WHERE name IN (${marksOf(names)})`,
    ...names,
  )
  const upToDate = new Set(
    rows.filter((row) => integer(row, 'stored_at') > now - STORED_AGAIN_MS).map((row) => text(row, 'hmac')),
  )
  const records = signed
    .filter((each) => !upToDate.has(each.hmac))
    .map(({ name, asset: { mediaType, bytes, compressed }, hmac: signature }) => ({
      name,
      media_type: mediaType,
      base64: bytes.toString('base64'),
      br_base64: compressed.br?.toString('base64') ?? null,
      gzip_base64: compressed.gzip?.toString('base64') ?? null,
      hmac: signature,
      stored_at: now,
    }))
  if (records.length === 0) return
  await sql.writeAll(
    insertRecords(
      'page_assets',
      records,
      `ON CONFLICT (name) DO UPDATE SET media_type = excluded.media_type, base64 = excluded.base64,
         br_base64 = excluded.br_base64, gzip_base64 = excluded.gzip_base64, hmac = excluded.hmac,
         stored_at = excluded.stored_at`,
    ),
  )
}

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')

const fromRow = (row: Row): PageAsset => {
  const [br, gzip] = [textOrNull(row, 'br_base64'), textOrNull(row, 'gzip_base64')]
  return {
    mediaType: text(row, 'media_type'),
    bytes: bytesOf(text(row, 'base64')),
    compressed: { ...(br === null ? {} : { br: bytesOf(br) }), ...(gzip === null ? {} : { gzip: bytesOf(gzip) }) },
  }
}

/** A row as it is stored: whether a server of ours has written it is `isGenuine`. */
export interface StoredAsset {
  readonly asset: PageAsset
  readonly isGenuine: boolean
}

export const readAssets = async (
  sql: Sql,
  hmac: AssetHmac,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredAsset>> => {
  const padded = padToFixedSizes(names)
  const rows = await sql.rows(
    `SELECT name, media_type, base64, br_base64, gzip_base64, hmac FROM page_assets WHERE name IN (${marksOf(padded)})`,
    ...padded,
  )
  return new Map(
    rows.map((row) => {
      const [name, asset] = [text(row, 'name'), fromRow(row)]
      return [name, { asset, isGenuine: hmac.verify(name, asset, text(row, 'hmac')) }]
    }),
  )
}

const OLD_ASSETS: BatchedChange = {
  table: 'page_assets',
  key: ['name'],
  where: 'stored_at < $1',
  order: 'stored_at',
  change: 'DELETE',
}

/** Deletes assets that no server has stored for a week; true when there may be more. */
export const forgetOldAssets = (sql: Sql, now: Instant): Promise<boolean> =>
  changeNextBatch(sql, OLD_ASSETS, [now - KEPT_MS])
