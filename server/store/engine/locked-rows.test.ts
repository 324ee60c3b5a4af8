import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test, type TestContext } from 'node:test'
import pg from 'pg'
import { ATTEMPT_STATES, NOW, payment } from '#payment/testing/records.ts'
import { createPostgresDatabase } from '../../../proof/harness/databases.ts'
import { untilBlocked } from '../../../proof/harness/until-blocked.ts'
import { fakeGateway, type FakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { freshAttempt, freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { openTestServer, type TestServer } from '../../../proof/harness/test-server.ts'
import { deleteAllRows } from '../../../proof/harness/compare-databases.ts'
import {
  findAuthentication,
  newAuthenticationWrite,
  saveBrowserFacts,
  saveCollected,
} from '../checkout/authentications.ts'
import { DatabaseUnavailable, type Database } from './database.ts'
import { integer } from './columns.ts'
import { readMigrations } from './migrate.ts'
import { lockCheckout, saveTransitions } from '../checkout/transitions.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { insertCheckout, saveAttempt, saveCheckoutState, saveRefund } from '../../../proof/harness/save-records.ts'

const MIGRATION_LOCK = 0x6b61696b
const { charged, started, unknown } = ATTEMPT_STATES
/** As long as a reading waits for an inquiry. */
const READ_INQUIRY_TIMEOUT_MS = 1000
/** Longer than any test may take: a limit that a test is not about ends nothing in it. */
const HOUR_MS = 3_600_000
const LATER = NOW + HOUR_MS
const BROWSER = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
const SESSION = { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x.example/a', challenge: null }

/** PostgreSQL alone: on SQLite there is one transaction at a time, and no connection. */
describe('rows that a frozen process has locked', () => {
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  let otherProcess: pg.Client
  before(async () => {
    place = await createPostgresDatabase()
    otherProcess = new pg.Client({ connectionString: place.url })
    await otherProcess.connect()
    const database = await openPostgres(place.url)
    await database.migrate(await readMigrations(), 0)
    await database.close()
  })
  after(async () => {
    await otherProcess.end()
    await place.drop()
  })

  const releaseRow = async (): Promise<void> => void (await otherProcess.query('ROLLBACK'))
  /** At the latest it is released at the end of the test. */
  const lockRow = async (t: TestContext, id: string): Promise<void> => {
    t.after(releaseRow)
    await otherProcess.query('BEGIN')
    await otherProcess.query('UPDATE checkouts SET version = version WHERE id = $1', [id])
  }
  const pidOf = async (database: Database): Promise<number> => {
    const [row = {}] = await database.rows('SELECT pg_backend_pid() AS pid')
    return integer(row, 'pid')
  }

  describe('a shop', () => {
    const timeouts = { lockMs: 200, idleInTransactionMs: 5000, statementMs: 5000, clientMs: 5000 }
    let gateway: FakeGateway
    let database: Database
    let server: TestServer
    let now: number
    /** How much later it is at least after each sleep. */
    let sleptMs: number
    before(async () => {
      database = await openPostgres(place.url, timeouts)
    })
    after(() => database.close())
    beforeEach(async () => {
      await deleteAllRows(database)
      now = NOW
      sleptMs = 0
      gateway = fakeGateway()
      // What goes on when a test has closed its database gives up by this clock alone.
      const sleep = (ms: number): Promise<void> => {
        now += Math.max(ms, sleptMs)
        // A reading must not be answered before its inquiry is recorded: the next pay would find it under way, and be 409.
        if (ms >= READ_INQUIRY_TIMEOUT_MS) return new Promise(() => undefined)
        return new Promise((resolve) => void setTimeout(resolve, 20).unref())
      }
      server = await openTestServer({
        database,
        gateway,
        clock: { now: () => now, sleep, advance: (ms) => (now += ms) },
      })
    })

    const withPaymentInDoubt = async (): Promise<string> => {
      const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: LATER })
      await insertCheckout(database, checkout)
      await saveAttempt(database, freshAttempt(checkout, { ...unknown, nextInquiryAt: NOW }))
      return checkout.id
    }
    const withRefundInDoubt = async (): Promise<string> => {
      const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: LATER })
      await insertCheckout(database, checkout)
      await saveCheckoutState(database, { ...checkout, state: { status: 'paid', payment } })
      const attempt = freshAttempt(checkout, charged)
      await saveAttempt(database, attempt)
      const state = { name: 'requested', leaseUntil: NOW - 1 } as const
      const ids = { merchantId: 'tea-id', checkoutId: checkout.id, refundId: 'r1', orderCode: attempt.orderCode }
      await saveRefund(database, { ...ids, amountYen: 1, taxes: null, requestedAt: NOW, state })
      return checkout.id
    }

    for (const [name, make] of [
      ['a payment', withPaymentInDoubt],
      ['a refund', withRefundInDoubt],
    ] as const) {
      test(`however many read a locked checkout with ${name} in doubt, no call waits for a connection`, async (t) => {
        // Whoever waited for the row would wait until the test is over.
        const waits = { lockMs: HOUR_MS, statementMs: HOUR_MS, idleInTransactionMs: HOUR_MS, clientMs: HOUR_MS }
        const patient = await openPostgres(place.url, waits)
        t.after(() => patient.close())
        const { app } = await openTestServer({ database: patient, gateway, clock: server.clock })
        const [held, other] = [await make(), await server.createCheckout()]
        const read = async (id: string): Promise<number> => {
          const headers = { host: 'localhost:3000', merchant: 'tea' }
          return (await app.inject({ method: 'GET', url: `/api/v1/checkouts/${id}`, headers })).statusCode
        }
        await lockRow(t, held)
        const answers = await Promise.all(Array.from({ length: 25 }, () => read(held)))
        assert.deepEqual([...new Set(answers), await read(other)], [200, 200])
      })
    }

    test('a payment of a locked checkout is answered 503 and nothing is charged; a later pay is charged once', async (t) => {
      const id = await server.createCheckout()
      const order = await server.startAttempt(id)
      await lockRow(t, id)
      const answer = await server.pay(id, order)
      assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [503, 'unavailable'])
      await releaseRow()
      assert.equal(gateway.charges.length, 0)
      assert.equal((await server.pay(id, order)).statusCode, 200)
      assert.equal(gateway.charges.length, 1)
    })

    test('a charge whose outcome cannot be recorded is inquired after its lease and is never sent again', async (t) => {
      const id = await server.createCheckout()
      const order = await server.startAttempt(id)
      const { charge } = gateway
      gateway.charge = async (sent, remember) => {
        const outcome = await charge(sent, remember)
        await lockRow(t, id)
        // Recording is tried for 20 s.
        sleptMs = 10_000
        return outcome
      }
      assert.equal((await server.pay(id, order)).statusCode, 503)
      sleptMs = 0
      await releaseRow()
      gateway.inquire = async () => ({ outcome: 'pending' })
      assert.equal((await server.readCheckout(id)).json<{ paymentPending: boolean }>().paymentPending, true)
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: NOW, amountYen: 1980 })
      server.clock.advance(60_000)
      assert.equal((await server.pay(id, order)).json<{ status: string }>().status, 'paid')
      assert.equal(gateway.charges.length, 1)
    })

    test('browser facts that arrive while their attempt ends are deleted with it', async (t) => {
      const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: LATER })
      const attempt = freshAttempt(checkout, started)
      await insertCheckout(database, checkout)
      await saveAttempt(database, attempt)
      const ids = { merchantId: 'tea-id', orderCode: attempt.orderCode, ticket: 'ticket' }
      const pages = { pageOrigin: 'http://tea.localhost', session: SESSION, collectUrl: null, watchUrl: null }
      await database.writeAll(newAuthenticationWrite({ ...ids, ...pages }))
      const otherDatabase = await openPostgres(place.url)
      t.after(() => otherDatabase.close())
      const arriving: Promise<void>[] = []
      await database.transact(async (sql) => {
        const locked = await lockCheckout(sql, { merchantId: 'tea-id', checkoutId: checkout.id })
        if (locked === null) assert.fail('not stored')
        const over = { ...attempt, state: { name: 'abandoned', why: 'cancelled' } } as const
        await saveTransitions(
          sql,
          locked,
          { attempts: [over] },
          { actor: 'shopper', why: 'cancel', now },
          'http://tea.localhost:3000',
        )
        arriving.push(saveBrowserFacts(otherDatabase, ids, BROWSER), saveCollected(otherDatabase, ids, 'x'))
        await untilBlocked(database, Promise.race(arriving), arriving.length)
      })
      await Promise.all(arriving)
      const record = await findAuthentication(database, 'tea-id', attempt.orderCode)
      assert.deepEqual([record?.browser, record?.collected], [null, null])
    })
  })

  describe('a connection', () => {
    const opened: Database[] = []
    const open = async (timeouts: Partial<PostgresOptions>): Promise<Database> => {
      const unlimited = { lockMs: HOUR_MS, idleInTransactionMs: HOUR_MS, statementMs: HOUR_MS, clientMs: HOUR_MS }
      const database = await openPostgres(place.url, { ...unlimited, ...timeouts })
      opened.push(database)
      return database
    }
    after(async () => {
      for (const database of opened) await database.close()
    })

    for (const [name, timeouts, isKept] of [
      [
        'a statement that takes too long is cancelled by the database, and its connection is kept',
        { statementMs: 500 },
        true,
      ],
      ['a database that does not answer in time is given up, and its connection with it', { clientMs: 500 }, false],
    ] as const) {
      test(name, async () => {
        const database = await open(timeouts)
        const pid = await pidOf(database)
        await assert.rejects(database.rows('SELECT pg_sleep(3600)'), DatabaseUnavailable)
        assert.equal((await pidOf(database)) === pid, isKept)
        const again = await pidOf(database)
        await assert.rejects(
          database.transact((sql) => sql.rows('SELECT pg_sleep(3600)')),
          DatabaseUnavailable,
        )
        assert.equal((await pidOf(database)) === again, isKept)
      })
    }

    test('a wait for a row that is locked too long is cancelled by the database, and the connection is kept', async (t) => {
      const database = await open({ lockMs: 50 })
      const checkout = freshCheckout({ merchantId: 'tea-id' })
      const server = await openTestServer({ database, gateway: fakeGateway() })
      await insertCheckout(server.deps.database, checkout)
      await lockRow(t, checkout.id)
      const pid = await pidOf(database)
      const waiting = database.transact((sql) => lockCheckout(sql, { merchantId: 'tea-id', checkoutId: checkout.id }))
      await assert.rejects(waiting, DatabaseUnavailable)
      assert.equal(await pidOf(database), pid)
    })

    test('a process that freezes inside a transaction loses the lock on its row, and gets an error when it goes on', async () => {
      const database = await open({ idleInTransactionMs: 1000 })
      const checkout = freshCheckout({ merchantId: 'tea-id' })
      const server = await openTestServer({ database, gateway: fakeGateway() })
      await insertCheckout(server.deps.database, checkout)
      await assert.rejects(
        database.transact(async (sql) => {
          await lockCheckout(sql, { merchantId: 'tea-id', checkoutId: checkout.id })
          await otherProcess.query('UPDATE checkouts SET version = 7 WHERE id = $1', [checkout.id])
          await sql.rows('SELECT 1 AS x')
        }),
        DatabaseUnavailable,
      )
      const [row = {}] = await database.rows('SELECT version FROM checkouts WHERE id = $1', checkout.id)
      assert.equal(integer(row, 'version'), 7)
    })

    test('a migration and the lock of the server are under no timeout', async (t) => {
      const limits = { lockMs: 500, idleInTransactionMs: 500, statementMs: 500, clientMs: 1000 }
      const database = await open(limits)
      const second = await open(limits)
      assert.equal((await database.claimServer('alone')).isOurs, true)
      t.after(() => otherProcess.query('SELECT pg_advisory_unlock_all()'))
      await otherProcess.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
      const migrating = database.migrate(await readMigrations(), 0)
      await Promise.race([migrating, otherProcess.query('SELECT pg_sleep(2)')])
      assert.equal((await second.claimServer('alone')).isOurs, false)
      await otherProcess.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
      await migrating
    })
  })
})
