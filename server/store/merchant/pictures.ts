/** Pictures of shops, by merchant and content hash. */
import { DAY_MS, type Instant } from '#contract/jst.ts'
import { isPictureType, type Picture, type PictureType } from '../../pictures/picture.ts'
import type { Sql } from '../engine/database.ts'
import { integer, oneOf, text } from '../engine/columns.ts'

/** A page that was rendered before its picture was replaced still finds it for a day. */
const KEPT_MS = DAY_MS
/** Released pictures of a shop are limited, so that endless uploads do not fill the disk within that day. */
const RELEASED_MAX = 10

export interface StoredPicture {
  readonly type: PictureType
  readonly bytes: Buffer
}

export const findPicture = async (
  sql: Sql,
  merchantId: string,
  hash: string,
  now: Instant,
): Promise<StoredPicture | null> => {
  const [row] = await sql.rows(
    `SELECT content_type, base64 FROM pictures
     WHERE merchant_id = $1 AND hash = $2 AND (released_at IS NULL OR released_at > $3)`,
    merchantId,
    hash,
    now - KEPT_MS,
  )
  if (row === undefined) return null
  return { type: oneOf(row, 'content_type', isPictureType), bytes: Buffer.from(text(row, 'base64'), 'base64') }
}

/** A picture without its bytes. */
export interface PictureFacts extends Pick<Picture, 'type' | 'width' | 'height'> {
  readonly hash: string
}

export const findPictureFacts = async (
  sql: Sql,
  merchantId: string,
  hashes: readonly [logo: string, cover: string],
): Promise<PictureFacts[]> => {
  const rows = await sql.rows(
    `SELECT hash, content_type, width, height FROM pictures WHERE merchant_id = $1 AND hash IN ($2, $3)`,
    merchantId,
    ...hashes,
  )
  return rows.map((row) => ({
    hash: text(row, 'hash'),
    type: oneOf(row, 'content_type', isPictureType),
    width: integer(row, 'width'),
    height: integer(row, 'height'),
  }))
}

export const savePicture = async (
  sql: Sql,
  merchantId: string,
  { hash, type, width, height, bytes }: Picture & { readonly hash: string },
  now: Instant,
): Promise<void> => {
  await sql.rows(
    `INSERT INTO pictures (merchant_id, hash, content_type, width, height, base64, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (merchant_id, hash) DO UPDATE SET released_at = NULL`,
    merchantId,
    hash,
    type,
    width,
    height,
    bytes.toString('base64'),
    now,
  )
}

/** Marks the pictures that no setting uses as released, and deletes released ones that are too old or too many. */
export const releasePictures = async (
  sql: Sql,
  merchantId: string,
  inUse: readonly [logo: string, cover: string],
  now: Instant,
): Promise<void> => {
  await sql.rows(
    `UPDATE pictures SET released_at = $4
     WHERE merchant_id = $1 AND released_at IS NULL AND hash <> $2 AND hash <> $3`,
    merchantId,
    ...inUse,
    now,
  )
  await sql.rows(
    `DELETE FROM pictures WHERE merchant_id = $1 AND released_at IS NOT NULL AND hash NOT IN (
       SELECT hash FROM pictures WHERE merchant_id = $1 AND released_at > $2
       ORDER BY released_at DESC, created_at DESC, hash LIMIT ${RELEASED_MAX})`,
    merchantId,
    now - KEPT_MS,
  )
}
