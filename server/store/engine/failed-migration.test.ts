import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPostgresDatabase, onBothDatabases } from '../../../proof/harness/databases.ts'
import { openMerchantClient } from '../../../proof/harness/merchant-client.ts'
import { readConfig } from '../../config/config.ts'
import type { Migration } from './database.ts'
import { readMigrations, readTables } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { MIGRATION_LOCK } from './postgres-migrations.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { openEmbedded } from './sqlite.ts'

const EVENTS = { onLost: () => undefined, say: () => undefined }

/** The second begins well and fails in its last statement. */
const OF_A_NEWER_RELEASE: readonly Migration[] = [
  {
    name: '9998-fine.sql',
    text: 'CREATE TABLE fine (id TEXT); ALTER TABLE checkouts ADD COLUMN fine TEXT;',
    oldestBeside: '1.51.0',
  },
  {
    name: '9999-broken.sql',
    text: `ALTER TABLE checkouts ADD COLUMN half TEXT; UPDATE checkouts SET half = 'x', amount_yen = 1;
      DELETE FROM ledger_lines; INSERT INTO nowhere (id) VALUES (1);`,
    oldestBeside: '1.51.0',
  },
]

onBothDatabases(({ open }) => {
  test('a migration that fails leaves the database as the release before has it: it starts, pays and refunds', async () => {
    const database = await open()
    const client = await openMerchantClient(database)
    const paid = await client.createPaid({ amount: 1980 })
    const rows = async () => [
      await database.rows('SELECT * FROM checkouts ORDER BY id'),
      await database.rows('SELECT * FROM ledger_lines ORDER BY entry, account'),
      await database.rows('SELECT name FROM migrations ORDER BY name'),
    ]
    const before = await rows()
    await assert.rejects(database.migrate([...(await readMigrations()), ...OF_A_NEWER_RELEASE], 1))
    assert.deepEqual(await rows(), before)
    await assert.rejects(database.rows('SELECT * FROM fine'))
    assert.deepEqual(await readTables(database), { are: 'ours' })
    assert.equal((await client.createPaid({ amount: 20 })).status, 'paid')
    assert.equal((await client.refund(paid.id, { refundId: 'r' })).json<{ status: string }>().status, 'refunded')
  })
})

test('a server whose migration fails says in one line that the release before still starts', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-failed-migration-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const older = await openEmbedded(folder)
  const migrations = await readMigrations()
  // In the way of the migration that makes this table.
  const growth = migrations.findIndex(({ text }) => text.includes('ledger_lines_by_key'))
  await older.migrate(migrations.slice(0, growth), 0)
  await older.rows('CREATE TABLE ledger_lines_by_key (id TEXT)')
  await older.close()
  const reading = readConfig({ DATA_DIR: folder })
  if (!reading.ok) assert.fail(reading.problem)
  const prepared = await prepareDatabase(reading.config, EVENTS)
  assert.ok('problem' in prepared)
  assert.match(
    prepared.problem,
    /^The tables could not be changed .*ledger_lines_by_key.* the release before starts on them as ever\.$/,
  )
})

test('a server whose connection is lost while it migrates says that nobody knows, and the next start finds its tables', async (t) => {
  const place = await createPostgresDatabase()
  const other = await openPostgres(place.url)
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-lost-migration-'))
  t.after(async () => {
    await other.close()
    await place.drop()
    await rm(folder, { recursive: true, force: true })
  })
  const reading = readConfig({ DATA_DIR: folder, DATABASE_URL: place.url })
  if (!reading.ok) assert.fail(reading.problem)
  const { config } = reading
  // Another server compares the tables with its release: this one waits to migrate, and is cut off.
  const prepared = await other.transact(async (sql) => {
    await sql.rows('SELECT pg_advisory_xact_lock_shared($1::int)', MIGRATION_LOCK)
    const preparing = prepareDatabase(config, EVENTS)
    const cutOff = `SELECT pg_terminate_backend(pid) AS cut_off FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    // Not in the transaction, which sees the sessions as they were at first.
    while ((await other.rows(cutOff)).length === 0) await new Promise(setImmediate)
    return preparing
  })
  assert.ok('problem' in prepared)
  assert.match(
    prepared.problem,
    /^The database went away .* All of it was changed or nothing: start this release again\.$/,
  )
  const again = await prepareDatabase(config, EVENTS)
  if ('problem' in again) assert.fail(again.problem)
  assert.deepEqual(await readTables(again.database), { are: 'ours' })
  await again.database.close()
})
