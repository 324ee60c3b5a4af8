import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase, openPostgresDatabase, testPostgresUrl } from '../../../proof/harness/databases.ts'
import { freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { MERCHANT_SETTINGS } from '../../../proof/harness/test-merchants.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { gatewayNotConfigured } from '../../gateways/not-configured.ts'
import { DatabaseUnavailable, type Database } from './database.ts'
import { integer } from './columns.ts'
import { readMigrations } from './migrate.ts'
import { openDatabase } from './open.ts'
import { openPostgres } from './postgres.ts'
import { openEmbedded, openSqlite } from './sqlite.ts'
import { findCheckout, insertCheckout, saveMerchant } from '../../../proof/harness/save-records.ts'

const claimedOnce = async (open: () => Promise<Database>, holder: RegExp): Promise<void> => {
  const first = await open()
  const second = await open()
  try {
    try {
      assert.deepEqual(await first.claimServer('alone'), { isOurs: true })
      assert.deepEqual(await first.claimServer('alone'), { isOurs: true })
      for (let tries = 0; tries < 2; tries += 1) {
        const claim = await second.claimServer('alone')
        if (claim.isOurs) assert.fail('two servers on one database')
        assert.match(claim.holder, holder)
      }
      assert.equal((await second.rows('SELECT 1 AS still')).length, 1)
    } finally {
      await first.close()
    }
    assert.deepEqual(await second.claimServer('alone'), { isOurs: true })
  } finally {
    await second.close()
  }
}

describe('on SQLite', { concurrency: true }, () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-store-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('one server at a time holds the data folder, and frees it when it ends', () =>
    claimedOnce(() => openEmbedded(join(folder, 'claim')), /^It holds .*kaikei\.lock\.$/))

  test('what was stored is there when the file is opened again', async () => {
    const checkout = freshCheckout({ subject: '煎茶' })
    const first = await openEmbedded(join(folder, 'kept'))
    await first.migrate(await readMigrations(), 0)
    await saveMerchant(first, { id: 'tea', label: 'tea', settings: MERCHANT_SETTINGS }, 0)
    await insertCheckout(first, checkout)
    await first.close()
    const second = await openEmbedded(join(folder, 'kept'))
    assert.deepEqual(await findCheckout(second, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
    const [mode = {}, synchronous = {}] = [
      ...(await second.rows('PRAGMA journal_mode')),
      ...(await second.rows('PRAGMA synchronous')),
    ]
    assert.deepEqual([mode['journal_mode'], synchronous['synchronous']], ['wal', 2])
    await second.close()
  })

  test('a transaction inside a transaction is an error, and so is a query that bypasses it', async () => {
    const database = openSqlite(':memory:', null)
    await assert.rejects(
      database.transact(() => database.transact((sql) => sql.rows('SELECT 1 AS x'))),
      /transactions are not nested/,
    )
    await assert.rejects(
      database.transact(() => database.rows('SELECT 1 AS x')),
      /transactions are not nested/,
    )
    assert.equal((await database.rows('SELECT 1 AS x')).length, 1)
    await database.close()
  })

  test('a data folder that is no folder is refused with a line that names the variable and what to do', async () => {
    const opened = await openDatabase({ databaseUrl: null, dataDir: join(import.meta.filename, 'data') })
    if (!('problem' in opened)) assert.fail('opened')
    assert.match(
      opened.problem,
      /^DATA_DIR is ".*engines\.test\.ts\/data", where nothing can be written .*\. Set DATA_DIR/,
    )
  })
})

describe('on PostgreSQL', { concurrency: true }, () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let database: Database
  let admin: pg.Client
  before(async () => {
    place = await createPostgresDatabase()
    database = await openPostgres(place.url)
    await database.migrate(await readMigrations(), 0)
    admin = new pg.Client({ connectionString: testPostgresUrl() })
    await admin.connect()
  })
  after(async () => {
    await database.close()
    await admin.end()
    await place.drop()
  })

  const databaseName = (): string => new URL(place.url).pathname.slice(1)
  const killConnections = async (): Promise<void> => {
    const kill = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1'
    while ((await admin.query(kill, [databaseName()])).rowCount !== 0) await new Promise(setImmediate)
  }

  const killWhenAsleep = async (): Promise<void> => {
    const asleep = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`
    while ((await admin.query(asleep, [databaseName()])).rowCount === 0) await new Promise(setImmediate)
    await killConnections()
  }

  /** Ends when the killing has ended too, which would else also kill the connection of the next call. */
  const killedDuring = async (statement: Promise<unknown>): Promise<void> => {
    await Promise.allSettled([statement, killWhenAsleep()])
    await statement
  }

  /** The pool drops dead connections when it hears of them; until then one more call may meet one. */
  const worksAgain = async (): Promise<void> => {
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        await database.rows('SELECT 1 AS x')
        return
      } catch (error) {
        assert.ok(error instanceof DatabaseUnavailable)
      }
    }
    assert.fail('the database did not come back')
  }

  test('one server at a time holds the database, and frees it when it ends', async () => {
    const own = await createPostgresDatabase()
    await claimedOnce(
      () => openPostgres(own.url),
      /^It is PostgreSQL session (\d+) from [\d.:a-f]+ since 20[\d:TZ-]+; if its host is gone, .* SELECT pg_terminate_backend\(\1\)\.$/,
    )
    await own.drop()
  })

  test('a connection lost at any moment is a temporary fault; nothing half written stays, and the next call works', async () => {
    await saveMerchant(database, { id: 'tea', label: 'tea', settings: MERCHANT_SETTINGS }, 0)
    const checkout = freshCheckout()
    const lost: (() => Promise<unknown>)[] = [
      // Between two statements of a transaction, while nobody waits for the connection.
      () =>
        database.transact(async (sql) => {
          await insertCheckout(sql, checkout)
          await killConnections()
          await sql.rows('SELECT 1 AS x')
        }),
      // Just before the commit.
      () =>
        database.transact(async (sql) => {
          await insertCheckout(sql, checkout)
          await killConnections()
        }),
      // Before the work of a transaction throws.
      () =>
        database.transact(async (sql) => {
          await insertCheckout(sql, checkout)
          await killConnections()
          throw new Error('the work failed')
        }),
      // In the middle of a statement, inside a transaction and outside.
      () =>
        database.transact(async (sql) => {
          await insertCheckout(sql, checkout)
          await killedDuring(sql.rows('SELECT pg_sleep(20)'))
        }),
      () => killedDuring(database.rows('SELECT pg_sleep(20)')),
    ]
    for (const losing of lost) {
      await assert.rejects(losing, DatabaseUnavailable)
      await worksAgain()
      assert.equal(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), null)
    }
  })

  test('a server whose database is gone answers 503 to its shoppers and to /readyz, and logs it for its operator', async () => {
    const own = await createPostgresDatabase()
    const gone = await openPostgres(own.url)
    await gone.migrate(await readMigrations(), 0)
    const server = await openTestServer({ database: gone, gateway: gatewayNotConfigured })
    const checkout = await server.createCheckout()
    await own.drop()
    const answers = [
      await server.readCheckout(checkout),
      await server.sendRequest({ method: 'DELETE', url: `/api/v1/checkouts/${checkout}` }),
      await server.sendRequest({ method: 'GET', url: '/readyz' }),
    ]
    await gone.close()
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [503, 503, 503],
    )
    assert.equal(answers[0]?.json<{ code: string }>().code, 'unavailable')
    assert.match(server.logLines.join(''), /"msg":"a call failed"/)
  })

  test('however many different statements are sent, a connection keeps the plans of 500 at most', async () => {
    const { database, close } = await openPostgresDatabase()
    await database.transact(async (sql) => {
      for (let number = 0; number < 600; number += 1) await sql.rows(`SELECT ${number} AS number`)
      const [row = {}] = await sql.rows('SELECT count(*) AS kept FROM pg_prepared_statements')
      assert.ok(integer(row, 'kept') <= 500, String(row['kept']))
    })
    await close()
  })

  test('a database server that does not answer, or refuses, is named without its password', async () => {
    for (const databaseUrl of ['postgresql://me:secret@127.0.0.1:1/kaikei', `${place.url}_that_is_missing`]) {
      const opened = await openDatabase({ databaseUrl, dataDir: tmpdir() })
      if (!('problem' in opened)) assert.fail('opened')
      assert.match(
        opened.problem,
        /^DATABASE_URL: no connection to 127\.0\.0\.1:\d+\/kaikei\S* \(.+\)\. Start that server/,
      )
      assert.doesNotMatch(opened.problem, /secret|\n/)
    }
  })
})

test('the embedded database and its folder are readable for their owner alone, also where they were not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-modes-'))
  const dataDir = join(folder, 'data')
  const modeOf = async (name: string): Promise<string> => ((await stat(join(dataDir, name))).mode & 0o777).toString(8)
  await mkdir(dataDir, { mode: 0o755 })
  await writeFile(join(dataDir, 'kaikei.sqlite'), '', { mode: 0o644 })
  const database = await openEmbedded(dataDir)
  await database.migrate(await readMigrations(), 0)
  assert.equal(await modeOf('.'), '700')
  for (const file of await readdir(dataDir)) assert.equal(await modeOf(file), '600', file)
  assert.ok((await readdir(dataDir)).includes('kaikei.sqlite-wal'))
  await database.close()
  await rm(folder, { recursive: true, force: true })
})
