import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { acquirerInMemory } from '../../proof/harness/acquirer-in-memory.ts'
import { createPostgresDatabase, openSqliteInMemory } from '../../proof/harness/databases.ts'
import { openTestServer, type TestServer } from '../../proof/harness/test-server.ts'
import { API_KEYS } from '../../proof/harness/test-merchants.ts'
import { fanOut } from '../store/outbox/fan-out.ts'
import { text } from '../store/engine/columns.ts'
import type { Database } from '../store/engine/database.ts'
import { readMigrations } from '../store/engine/migrate.ts'
import { openPostgres } from '../store/engine/postgres.ts'

class RolledBack extends Error {}

/** Every transaction runs twice, as after a failover: the first time it is rolled back at its end. */
const runningTwice = (database: Database): Database => ({
  ...database,
  transact: async (work) => {
    const isOver = database.transact(async (sql) => {
      await work(sql)
      throw new RolledBack()
    })
    await assert.rejects(isOver, RolledBack)
    return database.transact(work)
  },
})

/** Creates, pays, refunds and reads a checkout; returns the answers without what is random in them. */
const sell = async (server: TestServer): Promise<unknown[]> => {
  const checkout = await server.createCheckout()
  const paid = await server.pay(checkout, await server.startAttempt(checkout))
  assert.equal(paid.statusCode, 200, paid.body)
  const refunded = await server.app.inject({
    method: 'POST',
    url: `/merchant/v1/checkouts/${checkout}/refunds`,
    headers: { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` },
    payload: { refundId: 'first', amount: 100 },
  })
  await fanOut(server.deps.database, server.clock.now())
  assert.equal(refunded.statusCode, 201, refunded.body)
  const counts: unknown[] = [paid.json<{ status: string }>().status, refunded.statusCode]
  for (const table of ['attempts', 'refunds', 'ledger_lines', 'events', 'mails', 'changes', 'card_questions']) {
    const rows = await server.deps.database.rows(`SELECT count(*) AS counted FROM ${table}`)
    counts.push([table, rows[0]?.['counted']])
  }
  return [...counts, server.logLines.filter((line) => line.includes('alarm')).length]
}

test('a payment whose every transaction runs twice is charged, booked and told once', async () => {
  const sales: { readonly seen: unknown[]; readonly charges: number }[] = []
  for (const wrap of [(database: Database) => database, runningTwice]) {
    const gateway = acquirerInMemory(() => 0)
    const server = await openTestServer({ database: wrap(await openSqliteInMemory()), gateway })
    const seen = await sell(server)
    sales.push({ seen, charges: gateway.charges.size })
  }
  assert.deepEqual(sales[1], sales[0])
})

describe('a migration while a server runs on PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let admin: pg.Client
  let database: Database
  before(async () => {
    place = await createPostgresDatabase()
    admin = new pg.Client({ connectionString: place.url })
    await admin.connect()
    database = await openPostgres(place.url)
    await database.migrate(await readMigrations(), 0)
  })
  after(async () => {
    await database.close()
    await admin.end()
    await place.drop()
  })

  test('a column that is added to every table fails no call of a payment, and ends no connection', async () => {
    const server = await openTestServer({ database, gateway: acquirerInMemory(() => 0) })
    const sessions = async (): Promise<string[]> => {
      const found = await admin.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kaikei' ORDER BY pid",
      )
      return found.rows.map(({ pid }) => String(pid))
    }
    await sell(server)
    const before = await sessions()
    const tables = await database.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    for (const row of tables)
      await admin.query(`ALTER TABLE ${text(row, 'table_name')} ADD COLUMN of_next_release TEXT`)
    await sell(server)
    // A statement that PostgreSQL refuses to plan again is sent again, on a fresh connection.
    assert.deepEqual(
      (await sessions()).filter((pid) => before.includes(pid)),
      before,
    )
  })
})
