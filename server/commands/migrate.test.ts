import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { runCommand } from '../../proof/harness/run-command.ts'
import { createServerDatabase, type ServerDatabase } from '../../proof/harness/server-databases.ts'
import { readConfig } from '../config/config.ts'
import { readMigrations, readTables } from '../store/engine/migrate.ts'
import { prepareDatabase } from '../store/prepare-database.ts'

const EVENTS = { onLost: () => undefined, say: () => undefined }
const NONE = 'The tables are those of this release: nothing was changed.'

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  describe(`the tables as a step of their own, on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let place: ServerDatabase
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-migrate-'))
      place = await createServerDatabase(engine, folder)
    })
    after(async () => {
      await place.drop()
      await rm(folder, { recursive: true, force: true })
    })
    const startWithoutMigrating = async () => {
      const reading = readConfig({ ...place.env, MIGRATE: 'off' })
      return reading.ok ? prepareDatabase(reading.config, EVENTS) : assert.fail(reading.problem)
    }

    test('a server with MIGRATE=off refuses tables that are not its own and names the command, and starts after it', async () => {
      const refused = await startWithoutMigrating()
      assert.ok('problem' in refused)
      assert.match(refused.problem, /does not have the tables of this release\. Run .* migrate/)
      const names = (await readMigrations()).map(({ name }) => name)
      const first = await runCommand(['migrate'], place.env)
      assert.deepEqual(
        [first.code, first.printed],
        [0, [...names.map((name) => `applied ${name}`), 'The tables are those of this release.']],
      )
      const started = await startWithoutMigrating()
      if ('problem' in started) assert.fail(started.problem)
      assert.deepEqual(await readTables(started.database), { are: 'ours' })
      // Beside the running server, which needs nothing.
      assert.deepEqual(await runCommand(['migrate'], place.env), { code: 0, printed: [NONE], errors: [] })
      assert.deepEqual((await runCommand(['migrate', '--json'], place.env)).printed, ['{"applied":[]}'])
      await started.database.close()
    })

    test('a running server that is too old is named, and the tables stay as they are', async () => {
      const database = await place.open()
      const [last] = (await readMigrations()).slice(-1)
      if (last === undefined) assert.fail()
      await database.rows('DELETE FROM migrations WHERE name = $1', last.name)
      const old = engine === 'PostgreSQL' ? new pg.Client({ connectionString: place.env['DATABASE_URL'] }) : null
      if (old === null) assert.equal((await database.claimServer('alone')).isOurs, true)
      await old?.connect()
      await old?.query(`SET application_name = 'kaikei server 1.0.0 0123456789abcdef'`)
      await old?.query('SELECT pg_advisory_lock($1)', [0x6b61696c])
      const refused = await runCommand(['migrate'], place.env)
      assert.equal(refused.code, 2)
      assert.match(
        refused.errors.join(),
        engine === 'PostgreSQL' ? /a server of release 1\.0\.0 runs on this database/ : /uses this embedded database/,
      )
      assert.equal((await readTables(database)).are, 'missing')
      await old?.end()
      await database.close()
    })

    test('tables of a newer release that does not allow this one are left alone', async () => {
      const database = await place.open()
      await database.migrate([...(await readMigrations()).slice(0, -1)], 0)
      await database.rows(
        `INSERT INTO migrations (name, applied_at, oldest_beside) VALUES ('9999-newer.sql', 0, '999.0.0')`,
      )
      await database.close()
      const refused = await runCommand(['migrate'], place.env)
      assert.equal(refused.code, 2)
      assert.match(refused.errors.join(), /holds what this release does not know \(9999-newer\.sql/)
    })
  })
