/** Backup HMAC: proves that a backup was written by who has the secret key, and that nothing in it was changed since. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { secretKeyId } from '../../config/secret-key-id.ts'
import { integer, text, textOrNull } from '../engine/columns.ts'
import { tablesOf, type BackupFacts } from './backup-tables.ts'

const keyOf = (secretKey: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', 'kaikei backup hmac', 32))

/** What the file says of the rows of each table: without their digests the HMAC would hold for any rows. */
const sumsIn = (database: DatabaseSync): unknown[] =>
  database
    .prepare('SELECT name, row_count, digest FROM backup_tables ORDER BY name')
    .all()
    .map((row) => [text(row, 'name'), integer(row, 'row_count'), text(row, 'digest')])

/** Over the facts, the tables in their order with their columns, and the digest of all rows of each in their order. */
export const hmacOf = (database: DatabaseSync, { release, takenAt }: BackupFacts, secretKey: string): string => {
  const tables = tablesOf(database).map(({ name, columns, clusteredBy }) => [name, columns, clusteredBy])
  const contents = JSON.stringify([secretKeyId(secretKey), release, takenAt, tables, sumsIn(database)])
  return createHmac('sha256', keyOf(secretKey)).update(contents).digest('hex')
}

/** `unsigned`: there is none. `other key`: of a secret key that is not at hand. `wrong`: of one that is, and it does not hold. */
export type HmacVerdict = 'holds' | 'unsigned' | 'other key' | 'wrong'

const isEqual = (one: string, other: string): boolean => {
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)]
  return mine.length === theirs.length && timingSafeEqual(mine, theirs)
}

/** By any of the keys at hand: a backup may be older than a rotation. */
export const verifyHmac = (database: DatabaseSync, facts: BackupFacts, secretKeys: readonly string[]): HmacVerdict => {
  const row = database.prepare('SELECT * FROM backup').get() ?? {}
  // The release before wrote no such column.
  const hmac = 'hmac' in row ? textOrNull(row, 'hmac') : null
  if (hmac === null) return 'unsigned'
  if (secretKeys.some((key) => isEqual(hmacOf(database, facts, key), hmac))) return 'holds'
  return secretKeys.some((key) => secretKeyId(key) === row['key_id']) ? 'wrong' : 'other key'
}
