import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { createPostgresDatabase, onBothEmptyDatabases, openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { DatabaseUnavailable, type Database } from './database.ts'
import { text } from './columns.ts'
import { readMigrations, readTables } from './migrate.ts'
import { openExistingDatabase, tablesProblem } from './open.ts'
import { openPostgres } from './postgres.ts'

const NEWER = { name: '9999-from-a-newer-release.sql', text: 'CREATE TABLE more (id TEXT)', oldestBeside: '999.0.0' }
const ALLOWING = { name: '9998-allowing.sql', text: 'CREATE TABLE allowing (id TEXT)', oldestBeside: '1.0.0' }
const NEWER_FACTS = { name: NEWER.name, oldestBeside: NEWER.oldestBeside }

onBothEmptyDatabases(({ name: engine, open }) => {
  test(`on ${engine} the tables are missing, then ours, and those of a newer release are named`, async () => {
    const database = await open()
    const migrations = await readMigrations()
    const names = migrations.map(({ name }) => name)
    assert.deepEqual(await readTables(database), { are: 'missing', missing: names })
    await database.migrate(migrations.slice(0, -1), 0)
    assert.deepEqual(await readTables(database), { are: 'missing', missing: names.slice(-1) })
    assert.deepEqual(await database.migrate(migrations, 0), names.slice(-1))
    assert.deepEqual(await readTables(database), { are: 'ours' })
    // A server of the release before runs on beside what allows it, and not beside what does not.
    await database.migrate([ALLOWING], 0)
    assert.deepEqual(await readTables(database), { are: 'ours' })
    await database.migrate([NEWER], 0)
    assert.deepEqual(await readTables(database), { are: 'newer', unknown: [NEWER_FACTS] })
    const [{ oldest_beside: stored } = {}] = await database.rows(
      `SELECT oldest_beside FROM migrations WHERE name = '0001-checkouts.sql'`,
    )
    assert.equal(stored, '1.51.0')
    await database.close()
    // A database that is down must not look like an empty one.
    if (engine === 'PostgreSQL') await assert.rejects(readTables(database), DatabaseUnavailable)
  })
})

test('a database of a newer release is refused with a line that names it and what to do', async () => {
  const newer = { are: 'newer', unknown: [NEWER_FACTS, { name: '9998-x.sql', oldestBeside: '998.0.0' }] } as const
  const at = (databaseUrl: string | null): string => tablesProblem(newer, { databaseUrl, dataDir: '/data' })
  assert.equal(
    at('postgresql://me:secret@db:5432/kaikei'),
    'The database at db:5432/kaikei holds what this release does not know (9999-from-a-newer-release.sql from 999.0.0 on, 9998-x.sql from 998.0.0 on): a newer release has set it up, and does not allow this one beside it. Start that one, restore a backup from before it, or set DATA_DIR or DATABASE_URL to another.',
  )
  assert.match(at(null), /^The database in DATA_DIR "\/data" holds what this release does not know/)
})

test('a command has a statement timeout of one hour, a server one of 15 seconds', async () => {
  const own = await createPostgresDatabase()
  const server = await openPostgres(own.url)
  await server.migrate(await readMigrations(), 0)
  const opened = await openExistingDatabase({ databaseUrl: own.url, dataDir: tmpdir() })
  if ('problem' in opened) assert.fail(opened.problem)
  const limitOf = async (database: Database): Promise<string> =>
    text((await database.rows('SHOW statement_timeout'))[0] ?? {}, 'statement_timeout')
  assert.deepEqual([await limitOf(server), await limitOf(opened.database)], ['15s', '1h'])
  await opened.database.close()
  await server.close()
  await own.drop()
})

/** A key names its merchant, and so does a person's link: it is found before the merchant is known. */
const FOUND_BEFORE_ITS_MERCHANT = ['api_keys', 'person_links']

test('every unique index of a table with a merchant holds the merchant: such a table can be distributed by merchant', async () => {
  const database = await openSqliteInMemory()
  const rows = await database.rows(
    `SELECT tables.name AS table_name, indexes.name AS index_name,
       (SELECT COUNT(*) FROM pragma_index_info(indexes.name) AS parts WHERE parts.name = 'merchant_id') AS merchants
     FROM sqlite_master AS tables, pragma_index_list(tables.name) AS indexes
     WHERE tables.type = 'table' AND indexes."unique" = 1
       AND EXISTS (SELECT 1 FROM pragma_table_info(tables.name) AS columns WHERE columns.name = 'merchant_id')`,
  )
  assert.ok(rows.length > 20)
  const without = rows.filter((row) => row['merchants'] !== 1).map((row) => text(row, 'table_name'))
  assert.deepEqual(without, FOUND_BEFORE_ITS_MERCHANT)
})
