import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import { DatabaseUnavailable, type Database, type Sql } from './database.ts'
import { integer } from './columns.ts'
import { openDatabase } from './open.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { PAUSES_MS, RETRY_WITHIN_MS } from './postgres-retry.ts'
import { startPostgresProxy } from './testing/postgres-proxy.ts'

/** Time that passes in pauses alone. */
const createTime = () => {
  let now = 0
  const pauses: number[] = []
  return {
    pauses,
    pass: (ms: number) => {
      now += ms
    },
    retryTime: {
      elapsed: () => now,
      sleep: async (ms: number) => {
        pauses.push(ms)
        now += ms
      },
    },
  }
}

const INSERT = 'INSERT INTO payments (id) VALUES ($1)'
const BACKEND = 'SELECT pg_backend_pid() AS pid'

describe('a failover of PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let admin: pg.Client
  let database: Database
  let time: ReturnType<typeof createTime>
  const opened: Database[] = []
  const proxies: (() => void)[] = []
  const open = async (url: string, more: Partial<PostgresOptions> = {}): Promise<Database> => {
    const fresh = await openPostgres(url, { poolSize: 2, retryTime: time.retryTime, ...more })
    opened.push(fresh)
    return fresh
  }
  before(async () => {
    place = await createPostgresDatabase()
    admin = new pg.Client({ connectionString: place.url })
    await admin.connect()
    await admin.query(`CREATE TABLE payments (id TEXT NOT NULL PRIMARY KEY);
      CREATE FUNCTION fail(state TEXT) RETURNS INT LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'planted' USING ERRCODE = state; END $$`)
  })
  beforeEach(async () => {
    time = createTime()
    await admin.query('DELETE FROM payments')
    database = await open(place.url)
  })
  after(async () => {
    for (const each of opened) await each.close()
    for (const close of proxies) close()
    await admin.end()
    await place.drop()
  })

  const stored = async (): Promise<number> => (await admin.query('SELECT id FROM payments')).rowCount ?? 0
  const endSession = (pid: number) => admin.query('SELECT pg_terminate_backend($1)', [pid])
  const forThisDatabase = (change: string) => admin.query(`ALTER DATABASE ${place.name} ${change}`)

  /** The work of a payment, which something befalls in its first runs. */
  const payment = (befall: (sql: Sql, run: number) => Promise<unknown>) => {
    const done = { runs: 0 }
    const work = async (sql: Sql): Promise<string> => {
      done.runs += 1
      await sql.rows(INSERT, `payment-${done.runs}`)
      await befall(sql, done.runs)
      return `run ${done.runs}`
    }
    return { done, work }
  }

  for (const state of ['40001', '40P01', '25006', '57P01', '57P02', '57P03'])
    test(`a transaction that fails with ${state} before its commit runs again, and is stored once`, async () => {
      const { work } = payment(async (sql, run) => run < 3 && sql.rows('SELECT fail($1)', state))
      assert.equal(await database.transact(work), 'run 3')
      assert.deepEqual((await admin.query('SELECT id FROM payments')).rows, [{ id: 'payment-3' }])
      assert.deepEqual(time.pauses, [100])
    })

  test('a transaction whose connection is lost before its commit runs again, and is stored once', async () => {
    for (const isNoticed of [true, false]) {
      const { work, done } = payment(async (sql, run) => {
        if (run > 1) return
        await endSession(integer((await sql.rows(BACKEND))[0] ?? {}, 'pid'))
        if (isNoticed) await sql.rows(BACKEND)
        else throw new Error('the work fails on a lost connection')
      })
      await admin.query('DELETE FROM payments')
      assert.equal(await database.transact(work), 'run 2')
      assert.deepEqual([done.runs, await stored()], [2, 1])
    }
  })

  test('tries end: after four, and after three seconds', async () => {
    const always = payment((sql) => sql.rows('SELECT fail($1)', '40001'))
    await assert.rejects(database.transact(always.work), DatabaseUnavailable)
    assert.deepEqual([always.done.runs, time.pauses], [PAUSES_MS.length + 1, [100, 400]])
    const slow = payment(async (sql) => {
      time.pass(RETRY_WITHIN_MS)
      await sql.rows('SELECT fail($1)', '40001')
    })
    await assert.rejects(database.transact(slow.work), DatabaseUnavailable)
    assert.deepEqual([slow.done.runs, await stored()], [1, 0])
  })

  test('an error that another try does not mend is not tried again', async () => {
    for (const [state, expected] of [
      ['53100', /planted/],
      ['55P03', /planted/],
      ['23505', /conflict/],
      ['22012', /planted/],
    ] as const) {
      const { work, done } = payment((sql) => sql.rows('SELECT fail($1)', state))
      await assert.rejects(database.transact(work), expected)
      assert.equal(done.runs, 1, state)
    }
  })

  test('a transaction whose work has swallowed the error of a statement is not taken for stored', async () => {
    const { work } = payment((sql) => sql.rows('SELECT fail($1)', '23505').catch(() => undefined))
    await assert.rejects(database.transact(work), /nothing of it was stored/)
    assert.equal(await stored(), 0)
  })

  test('a server that has become read-only loses all connections that lead to it, and the call works on a fresh one', async () => {
    const toReadOnly = (sql: Sql) => sql.rows("SELECT set_config('default_transaction_read_only', 'on', false)")
    const meeting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const pids = await Promise.all(
      meeting.map(({ resolve }, at) =>
        database.transact(async (sql) => {
          const [row = {}] = await sql.rows(BACKEND)
          await toReadOnly(sql)
          resolve()
          await meeting[at === 0 ? 1 : 0].promise
          return integer(row, 'pid')
        }),
      ),
    )
    await database.rows(INSERT, 'one')
    await database.writeAll([{ text: INSERT, values: ['two'] }])
    const now = await Promise.all([database.rows(BACKEND), database.rows(BACKEND)])
    for (const [row = {}] of now) assert.ok(!pids.includes(integer(row, 'pid')))
    assert.deepEqual([await stored(), time.pauses], [2, []])
  })

  test('a database that stays read-only answers that it is unavailable, which is 503', async () => {
    await forThisDatabase('SET default_transaction_read_only = on')
    const readOnly = await open(place.url)
    await assert.rejects(readOnly.rows(INSERT, 'one'), DatabaseUnavailable)
    await assert.rejects(
      readOnly.transact((sql) => sql.rows(INSERT, 'one')),
      DatabaseUnavailable,
    )
    assert.equal((await readOnly.rows(BACKEND)).length, 1)
    await forThisDatabase('RESET default_transaction_read_only')
    await readOnly.rows(INSERT, 'one')
  })

  /** A proxy that cuts the session at the first message with these bytes, before or after PostgreSQL has it. */
  const cutAt = async (bytes: string, when: 'before it arrives' | 'before its answer') => {
    const cuts = { left: 0 }
    const proxy = await startPostgresProxy(place.url, ({ driver, server }) => {
      let isCut = false
      driver.on('data', (sent) => {
        const isHit = cuts.left > 0 && sent.includes(bytes)
        if (isHit) cuts.left -= 1
        isCut ||= isHit
        if (isHit && when === 'before it arrives') driver.destroy()
        else server.write(sent)
      })
      server.on('data', (answer) => (isCut ? driver.destroy() : driver.write(answer)))
    })
    proxies.push(proxy.close)
    return { ...proxy, cuts }
  }

  test('a commit without an answer is not sent again, whether it was stored or not', async () => {
    for (const [when, rows] of [
      ['before it arrives', 0],
      ['before its answer', 1],
    ] as const) {
      const proxy = await cutAt('COMMIT\0', when)
      const through = await open(proxy.url)
      await admin.query('DELETE FROM payments')
      proxy.cuts.left = 1
      const { work, done } = payment(async () => undefined)
      await assert.rejects(through.transact(work), DatabaseUnavailable)
      assert.deepEqual([done.runs, await stored()], [1, rows])
      await through.transact(async () => undefined)
    }
  })

  test('a single write without an answer is not sent again; a reading is, once', async () => {
    const proxy = await cutAt('payments', 'before its answer')
    const through = await open(proxy.url)
    proxy.cuts.left = 1
    await assert.rejects(through.rows(INSERT, 'one'), DatabaseUnavailable)
    proxy.cuts.left = 1
    await assert.rejects(through.writeAll([{ text: INSERT, values: ['two'] }]), DatabaseUnavailable)
    assert.equal(await stored(), 2)
    proxy.cuts.left = 1
    assert.equal((await through.rows('SELECT id FROM payments')).length, 2)
    proxy.cuts.left = 2
    await assert.rejects(through.rows('SELECT id FROM payments ORDER BY id'), DatabaseUnavailable)
    assert.equal(proxy.cuts.left, 0)
  })

  test('a standby is no server of ours: it gives neither a connection nor the server lock, until it is the primary', async () => {
    let lost = 0
    assert.equal((await database.claimServer('shared', () => void (lost += 1))).isOurs, true)
    const holder = async (): Promise<number | undefined> => {
      const found = await admin.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'kaikei server %'",
      )
      return found.rows[0]?.pid
    }
    const [previous = 0] = [await holder()]
    await admin.query(`CREATE SCHEMA standby;
      CREATE FUNCTION standby.pg_is_in_recovery() RETURNS BOOLEAN LANGUAGE sql AS 'SELECT true'`)
    await forThisDatabase('SET search_path = standby, pg_catalog, public')
    await endSession(previous)
    const refused = await openDatabase({ databaseUrl: place.url, dataDir: '/tmp' })
    assert.match('problem' in refused ? refused.problem : '', /this server is a standby, which takes no writes/)
    await forThisDatabase('RESET search_path')
    for (let now = await holder(); now === undefined || now === previous;) now = await holder()
    assert.equal(lost, 0)
    assert.equal((await (await open(place.url)).claimServer('alone')).isOurs, false)
  })

  test('a connection pooler is refused by name', async () => {
    const proxy = await startPostgresProxy(place.url, ({ driver, server }) => {
      driver.on('data', (sent) => server.write(sent))
      server.on('data', (answer) => {
        // BackendKeyData of a pooler: not the number of the session of PostgreSQL (PgBouncer 1.18 makes up another).
        if (typeof answer === 'string') assert.fail()
        const key = answer.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
        if (key !== -1) answer.writeInt32BE(264_378_673, key + 5)
        driver.write(answer)
      })
    })
    proxies.push(proxy.close)
    const refused = await openDatabase({ databaseUrl: proxy.url, dataDir: '/tmp' })
    assert.match(
      'problem' in refused ? refused.problem : '',
      /^DATABASE_URL: a connection pooler such as PgBouncer stands at 127\.0\.0\.1:\d+\/.*give the address of PostgreSQL itself/,
    )
  })
})
