import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import type { Database } from './database.ts'
import { text } from './columns.ts'
import { openPostgres } from './postgres.ts'

const LEVELS = { off: 'on', local: 'on', on: 'on', remote_write: 'remote_write', remote_apply: 'remote_apply' } as const

/** What payments rely on must not depend on how somebody has set up the role, the database or the server. */
describe('a session of PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let admin: pg.Client
  const opened: Database[] = []
  before(async () => {
    place = await createPostgresDatabase()
    admin = new pg.Client({ connectionString: place.url })
    await admin.connect()
  })
  after(async () => {
    for (const database of opened) await database.close()
    await admin.end()
    await place.drop()
  })

  const openWith = async (setting: string, value: string): Promise<Database> => {
    const name = new URL(place.url).pathname.slice(1)
    await admin.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`)
    const database = await openPostgres(place.url)
    opened.push(database)
    return database
  }
  const shown = async (sql: Pick<Database, 'rows'>, setting: string): Promise<string> => {
    const [row = {}] = await sql.rows(`SELECT current_setting('${setting}') AS shown`)
    return text(row, 'shown')
  }
  /** A migration runs on a connection of its own, which is made as the one that holds the server's lock is. */
  const shownAlone = async (database: Database, setting: string): Promise<string> => {
    const script = `DROP TABLE IF EXISTS seen; CREATE TABLE seen AS SELECT current_setting('${setting}') AS shown`
    await database.migrate([{ name: `${setting} ${opened.length}`, text: script, oldestBeside: '1.51.0' }], 0)
    const [row = {}] = (await admin.query<{ shown: string }>('SELECT shown FROM seen')).rows
    return text(row, 'shown')
  }

  for (const [given, kept] of Object.entries(LEVELS)) {
    test(`an acknowledged payment survives a crash where synchronous_commit is ${given}`, async () => {
      const database = await openWith('synchronous_commit', given)
      const inside = await database.transact((sql) => shown(sql, 'synchronous_commit'))
      assert.deepEqual([inside, await shownAlone(database, 'synchronous_commit')], [kept, kept])
    })
  }

  test('a transaction that waited for a checkout reads its new state, also where the role sets another isolation level', async () => {
    for (const level of ['repeatable read', 'serializable']) {
      const database = await openWith('default_transaction_isolation', level)
      const isolation = 'transaction_isolation'
      assert.deepEqual(
        [
          await shown(database, isolation),
          await database.transact((sql) => shown(sql, isolation)),
          await shownAlone(database, isolation),
        ],
        ['read committed', 'read committed', 'read committed'],
      )
    }
  })

  test('a host that is gone is noticed by the database within half a minute, which frees its locks', async () => {
    const database = await openPostgres(place.url)
    opened.push(database)
    const settings = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout']
    for (const readSetting of [shown, shownAlone]) {
      const seen: string[] = []
      for (const setting of settings) seen.push(await readSetting(database, setting))
      assert.deepEqual(seen, ['10', '5', '3', process.platform === 'linux' ? '25000' : '0'])
    }
  })

  test('a migration is not ended by a statement timeout of the role', async () => {
    const database = await openWith('statement_timeout', '100ms')
    await database.migrate([{ name: 'slow', text: 'SELECT pg_sleep(0.3)', oldestBeside: '1.51.0' }], 0)
    await admin.query(`ALTER DATABASE ${new URL(place.url).pathname.slice(1)} RESET statement_timeout`)
  })

  test('a call whose statement a migration made stale works, on another connection', async () => {
    const database = await openPostgres(place.url)
    const other = await openPostgres(place.url)
    opened.push(database, other)
    await other.migrate(
      [
        {
          name: 'shops',
          text: "CREATE TABLE shops (id TEXT); INSERT INTO shops VALUES ('tea')",
          oldestBeside: '1.51.0',
        },
      ],
      0,
    )
    const all = 'SELECT * FROM shops'
    const statements: readonly (() => Promise<unknown>)[] = [
      () => database.rows(all),
      () => database.transact((sql) => sql.rows(all)),
      () => database.rows(`UPDATE shops SET id = id RETURNING *`),
    ]
    for (const [column, execute] of statements.entries()) {
      await execute()
      await other.migrate(
        [{ name: `column ${column}`, text: `ALTER TABLE shops ADD COLUMN c${column} TEXT`, oldestBeside: '1.51.0' }],
        0,
      )
      await execute()
    }
  })
})
