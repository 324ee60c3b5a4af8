import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { UnreadableRow } from './columns.ts'
import { openSqlite } from './sqlite.ts'

const MB = 1024 * 1024

test('a reader that was slow leaves no log of more than 32 MB behind, once payments are stored again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-log-'))
  const path = join(folder, 'x.sqlite')
  const database = openSqlite(path, null)
  await database.rows('CREATE TABLE t (a TEXT)')
  const reader = new DatabaseSync(path, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT COUNT(*) FROM t').get()
  for (let each = 0; each < 10; each += 1) await database.rows('INSERT INTO t VALUES ($1)', 'x'.repeat(4 * MB))
  const sizeOf = async (): Promise<number> => (await stat(`${path}-wal`)).size
  assert.ok((await sizeOf()) > 40 * MB)
  reader.close()
  for (let each = 0; each < 3; each += 1) await database.rows('INSERT INTO t VALUES ($1)', 'x'.repeat(5 * MB))
  assert.ok((await sizeOf()) <= 32 * MB, String(await sizeOf()))
  await database.close()
  await rm(folder, { recursive: true })
})

test('an integer beyond 2^53 costs its own row alone: the others are read as numbers', async () => {
  const database = openSqlite(':memory:', null)
  await database.rows('CREATE TABLE t (a TEXT, b BIGINT)')
  await database.rows("INSERT INTO t VALUES ('large', 9007199254740993), ('small', 5)")
  assert.deepEqual(
    (await database.rows('SELECT a, b FROM t')).map(({ b }) => b),
    [9_007_199_254_740_993n, 5],
  )
  await assert.rejects(database.rows("UPDATE t SET a = 'x' RETURNING b"), UnreadableRow)
  await database.close()
})
