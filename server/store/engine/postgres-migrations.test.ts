import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import { untilBlocked } from '../../../proof/harness/until-blocked.ts'
import { MigrationBlocked, TooOldBeside, type Database, type Migration } from './database.ts'
import { takesOneWrite } from './heartbeat.ts'
import { readMigrations } from './migrate.ts'
import { MIGRATION_LOCK } from './postgres-migrations.ts'
import { openPostgres } from './postgres.ts'

const [SERVER_LOCK, WORKER_LOCK] = [0x6b61696c, 0x6b61696d]

const migration = (name: string, oldestBeside: string, text = 'SELECT 1'): Migration => ({ name, text, oldestBeside })

describe('migrations on PostgreSQL beside running servers', { concurrency: 1 }, () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  const sessions: pg.Client[] = []
  before(async () => {
    place = await createPostgresDatabase()
    database = await openPostgres(place.url, { tableLockMs: 30, tableLockPauseMs: 1, migrationMs: 5000 })
    await database.migrate(await readMigrations(), 0)
  })
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.end()
  })
  after(async () => {
    await database.close()
    await place.drop()
  })

  /** A session of another process. */
  const connect = async (name: string): Promise<pg.Client> => {
    const session = new pg.Client({ connectionString: place.url, application_name: name })
    session.on('error', () => undefined)
    await session.connect()
    sessions.push(session)
    return session
  }
  /** A process that runs, as whoever migrates sees it. */
  const running = async (name: string, lock: number): Promise<void> => {
    const session = await connect(name)
    await session.query('SELECT pg_advisory_lock_shared($1)', [lock])
  }

  test('a server or worker that is too old is named with its release, and nothing is changed', async () => {
    const contracting = migration('9000-contracting.sql', '1.60.0', 'DROP TABLE secret_key_check')
    await running('kaikei server 1.59.9 0123456789abcdef', SERVER_LOCK)
    await assert.rejects(database.migrate([contracting], 0), (error) => {
      assert.ok(error instanceof TooOldBeside)
      assert.match(
        error.message,
        /a server of release 1\.59\.9 runs .* 9000-contracting\.sql allows none before 1\.60\.0 .* PostgreSQL session \d+ /,
      )
      return true
    })
    assert.deepEqual(await database.rows('SELECT digest FROM secret_key_check'), [])
    for (const session of sessions.splice(0)) await session.end()
    await running('kaikei worker 1.59.0 0123456789abcdef', WORKER_LOCK)
    await assert.rejects(database.migrate([contracting], 0), /a worker of release 1\.59\.0 runs/)
    for (const session of sessions.splice(0)) await session.end()
    // Releases without migration 0027 did not write their number.
    await running('kaikei server 0123456789abcdef', SERVER_LOCK)
    await assert.rejects(database.migrate([contracting], 0), /a server of a release that does not tell its number runs/)
  })

  test('a server that the migration allows runs on, and so does one of our own release', async () => {
    await running('kaikei server 1.60.0 0123456789abcdef', SERVER_LOCK)
    assert.deepEqual(await database.migrate([migration('9001-expanding.sql', '1.60.0')], 0), ['9001-expanding.sql'])
    const [ours, other] = [await openPostgres(place.url), await openPostgres(place.url)]
    assert.equal((await ours.claimServer('shared')).isOurs, true)
    assert.equal((await other.claimServer('worker')).isOurs, true)
    for (const session of sessions.splice(0)) await session.end()
    assert.deepEqual(await database.migrate([migration('9002-expanding.sql', '999.0.0')], 0), ['9002-expanding.sql'])
    await Promise.all([ours.close(), other.close()])
  })

  test('whoever compares the tables with its release waits until a migration has ended, for a limited time', async () => {
    const migrating = await connect('another process')
    await migrating.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const compared = database.whileNobodyMigrates(async () => 'compared')
    await untilBlocked(database, compared)
    await migrating.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
    assert.equal(await compared, 'compared')
    await migrating.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    const impatient = await openPostgres(place.url, { migrationMs: 20 })
    const another = /Another process is changing the tables of this database/
    await assert.rejects(
      impatient.whileNobodyMigrates(async () => 'compared'),
      another,
    )
    await assert.rejects(impatient.migrate([migration('9003-late.sql', '1.51.0')], 0), another)
    await impatient.close()
  })

  test('two processes that migrate at once apply each migration once', async () => {
    const other = await openPostgres(place.url)
    const wanted = [migration('9004-once.sql', '1.51.0', 'CREATE TABLE once (id TEXT)')]
    const applied = await Promise.all([database.migrate(wanted, 0), other.migrate(wanted, 0)])
    assert.deepEqual(applied.flat(), ['9004-once.sql'])
    await other.close()
  })

  test('payments go on while a migration waits for a long query on their table, and it is done when the query has ended', async () => {
    const report = await connect('a report')
    await report.query('BEGIN; SELECT COUNT(*) FROM heartbeat')
    const adding = migration('9005-adding.sql', '1.51.0', 'ALTER TABLE heartbeat ADD COLUMN added TEXT')
    const patient = await openPostgres(place.url, { tableLockMs: 1000, tableLockPauseMs: 1 })
    const migrated = patient.migrate([adding], 0)
    await untilBlocked(database, migrated)
    // Queued behind the migration, which lets go before the timeout of the payment ends.
    assert.equal(await takesOneWrite(database), true)
    await report.query('COMMIT')
    assert.deepEqual(await migrated, ['9005-adding.sql'])
    await patient.close()
  })

  test('a query that never ends stops the migration after some tries, with the session that is in its way', async () => {
    const report = await connect('a report')
    await report.query('BEGIN; SELECT COUNT(*) FROM restores')
    const adding = migration('9006-adding.sql', '1.51.0', 'ALTER TABLE restores ADD COLUMN added TEXT')
    await assert.rejects(database.migrate([adding], 0), (error) => {
      assert.ok(error instanceof MigrationBlocked)
      assert.match(
        error.message,
        /could not be changed: 30 times .* session \d+ \("a report", since .*Nothing was changed/,
      )
      return true
    })
    await report.query('ROLLBACK')
    assert.deepEqual(await database.migrate([adding], 0), ['9006-adding.sql'])
  })
})
