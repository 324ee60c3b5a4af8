import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { ATTEMPT_STATES, NOW, payment } from '#payment/testing/records.ts'
import { createDatabase } from '../../proof/harness/databases.ts'
import { countingGateway, type CountingGateway } from '../../proof/harness/counting-gateway.ts'
import { freshAttempt, freshCheckout } from '../../proof/harness/records.ts'
import { openShop, type Shop } from '../../proof/harness/shop.ts'
import { emptyAll } from '../../proof/harness/two-engines.ts'
import { saveAttempt } from './attempts.ts'
import { findAuthentication, insertAuthentication, saveBrowserFacts, saveCollected } from './authentications.ts'
import { insertCheckout, saveCheckoutState } from './checkouts.ts'
import { DatabaseUnavailable, integer, readMigrations, type Database } from './database.ts'
import { lockCheckout, saveTransitions } from './transitions.ts'
import { openPostgres, type PostgresTimeouts } from './postgres.ts'
import { saveRefund } from './refunds.ts'

const MIGRATION_LOCK = 0x6b61696b
const { charged, started, unknown } = ATTEMPT_STATES
const LATER = NOW + 3_600_000
const BROWSER = { acceptHeader: '*/*', userAgent: 'x', ip: '127.0.0.1', language: 'ja', screen: null }
const SESSION = { requestorTransId: 'r', serverTransId: 's', authUrl: 'https://x.example/a', challenge: null }
const standstill = { timeout: 20_000 }

/** PostgreSQL alone: on SQLite there is one transaction at a time, and no connection. */
describe('rows that a frozen peer holds', () => {
  let place: Awaited<ReturnType<typeof createDatabase>>
  let peer: pg.Client
  before(async () => {
    place = await createDatabase()
    peer = new pg.Client({ connectionString: place.url })
    await peer.connect()
    const database = await openPostgres(place.url)
    await database.migrate(await readMigrations(), 0)
    await database.close()
  })
  after(async () => {
    await peer.end()
    await place.drop()
  })

  const holdRow = async (id: string): Promise<void> => {
    await peer.query('BEGIN')
    await peer.query('UPDATE checkouts SET version = version WHERE id = $1', [id])
  }
  const letGo = async (): Promise<void> => void (await peer.query('ROLLBACK'))
  const pidOf = async (database: Database): Promise<number> => {
    const [row = {}] = await database.rows('SELECT pg_backend_pid() AS pid')
    return integer(row, 'pid')
  }

  describe('a shop', () => {
    const timeouts = { lockMs: 200, idleInTransactionMs: 5000, statementMs: 5000, clientMs: 5000 }
    let gateway: CountingGateway
    let database: Database
    let shop: Shop
    let now: number
    before(async () => {
      database = await openPostgres(place.url, timeouts)
    })
    after(() => database.close())
    beforeEach(async () => {
      await emptyAll(database)
      now = NOW
      gateway = countingGateway()
      const sleep = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20))
      shop = await openShop({ database, gateway, clock: { now: () => now, sleep, advance: (ms) => (now += ms) } })
    })

    const doubtful = async (): Promise<string> => {
      const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: LATER })
      await insertCheckout(database, checkout)
      await saveAttempt(database, freshAttempt(checkout, { ...unknown, nextInquiryAt: NOW }))
      return checkout.id
    }
    const withDoubtfulRefund = async (): Promise<string> => {
      const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: LATER })
      await insertCheckout(database, checkout)
      await saveCheckoutState(database, { ...checkout, state: { status: 'paid', payment } })
      const attempt = freshAttempt(checkout, charged)
      await saveAttempt(database, attempt)
      const state = { name: 'requested', leaseUntil: NOW - 1 } as const
      const ids = { merchantId: 'tea-id', checkoutId: checkout.id, refundId: 'r1', orderCode: attempt.orderCode }
      await saveRefund(database, { ...ids, amountYen: 1, requestedAt: NOW, state })
      return checkout.id
    }

    for (const [name, make] of [
      ['a payment', doubtful],
      ['a refund', withDoubtfulRefund],
    ] as const) {
      test(
        `however many read a held checkout with ${name} in doubt, no call waits for a connection`,
        standstill,
        async () => {
          // With the timeouts of a server that is in use: the locks must not be waited for at all.
          const usual = await openPostgres(place.url)
          const { app } = await openShop({ database: usual, gateway, clock: shop.clock })
          const [held, other] = [await make(), await shop.create()]
          const read = async (id: string): Promise<number> => {
            const headers = { host: 'localhost:3000', merchant: 'tea' }
            return (await app.inject({ method: 'GET', url: `/api/v1/checkouts/${id}`, headers })).statusCode
          }
          await holdRow(held)
          const began = performance.now()
          const answers = await Promise.all(Array.from({ length: 25 }, () => read(held)))
          assert.deepEqual([...new Set(answers), await read(other)], [200, 200])
          assert.ok(performance.now() - began < 4000, 'somebody waited for the row')
          await letGo()
          await usual.close()
        },
      )
    }

    test(
      'a payment of a held checkout is put off with 503 and nothing is charged; later it is paid',
      standstill,
      async () => {
        const id = await shop.create()
        const order = await shop.start(id)
        await holdRow(id)
        const answer = await shop.pay(id, order)
        assert.deepEqual([answer.statusCode, answer.json<{ code: string }>().code], [503, 'unavailable'])
        await letGo()
        assert.equal(gateway.charges.length, 0)
        assert.equal((await shop.pay(id, order)).statusCode, 200)
        assert.equal(gateway.charges.length, 1)
      },
    )

    test('a charge that cannot be written down is found by its lease and is never sent again', standstill, async () => {
      const id = await shop.create()
      const order = await shop.start(id)
      const { charge } = gateway
      gateway.charge = async (sent) => {
        const outcome = await charge(sent)
        await holdRow(id)
        return outcome
      }
      assert.equal((await shop.pay(id, order)).statusCode, 503)
      await letGo()
      gateway.inquire = async () => ({ outcome: 'charged', transactionId: 't', approvedAt: NOW, amountYen: 1980 })
      assert.equal((await shop.read(id)).json<{ paymentPending: boolean }>().paymentPending, true)
      shop.clock.advance(60_000)
      assert.equal((await shop.pay(id, order)).json<{ status: string }>().status, 'paid')
      assert.equal(gateway.charges.length, 1)
    })

    test('facts of a browser that arrive while its attempt is moved on are forgotten with it', standstill, async () => {
      const checkout = freshCheckout({ merchantId: 'tea-id', validUntil: LATER })
      const attempt = freshAttempt(checkout, started)
      await insertCheckout(database, checkout)
      await saveAttempt(database, attempt)
      const ids = { merchantId: 'tea-id', orderCode: attempt.orderCode, ticket: 'ticket' }
      const pages = { pageOrigin: 'http://tea.localhost', session: SESSION, collectUrl: null, watchUrl: null }
      await insertAuthentication(database, { ...ids, ...pages })
      const patient = await openPostgres(place.url)
      const arriving: Promise<void>[] = []
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await database.transact(async (sql) => {
        const locked = await lockCheckout(sql, { merchantId: 'tea-id', checkoutId: checkout.id })
        if (locked === null) assert.fail('not stored')
        const over = { ...attempt, state: { name: 'abandoned', why: 'cancelled' } } as const
        await saveTransitions(sql, locked, { attempts: [over] }, { actor: 'shopper', why: 'cancel', now })
        arriving.push(saveBrowserFacts(patient, 'ticket', BROWSER), saveCollected(patient, 'ticket', 'x'))
        while ((await peer.query(waiting)).rowCount !== 2) await new Promise(setImmediate)
      })
      await Promise.all(arriving)
      await patient.close()
      const record = await findAuthentication(database, 'tea-id', attempt.orderCode)
      assert.deepEqual([record?.browser, record?.collected], [null, null])
    })
  })

  describe('a connection', () => {
    const opened: Database[] = []
    const open = async (timeouts: Partial<PostgresTimeouts>): Promise<Database> => {
      const patient = { idleInTransactionMs: 5000, statementMs: 5000, clientMs: 10_000 }
      const database = await openPostgres(place.url, { ...patient, ...timeouts })
      opened.push(database)
      return database
    }
    after(async () => {
      for (const database of opened) await database.close()
    })

    for (const [name, timeouts, isKept] of [
      [
        'a statement that takes too long is given up by the server, and its connection is kept',
        { statementMs: 50 },
        true,
      ],
      ['a server that is silent too long is given up, and its connection with it', { clientMs: 50 }, false],
    ] as const) {
      test(name, standstill, async () => {
        const database = await open(timeouts)
        const pid = await pidOf(database)
        const began = performance.now()
        await assert.rejects(database.rows('SELECT pg_sleep(3)'), DatabaseUnavailable)
        assert.equal((await pidOf(database)) === pid, isKept)
        const again = await pidOf(database)
        await assert.rejects(
          database.transact((sql) => sql.rows('SELECT pg_sleep(3)')),
          DatabaseUnavailable,
        )
        assert.equal((await pidOf(database)) === again, isKept)
        assert.ok(performance.now() - began < 2000)
      })
    }

    test('a row that is held too long is given up by the server, and the connection is kept', standstill, async () => {
      const database = await open({ lockMs: 50 })
      const checkout = freshCheckout({ merchantId: 'tea-id' })
      const shop = await openShop({ database, gateway: countingGateway() })
      await insertCheckout(shop.parts.database, checkout)
      await holdRow(checkout.id)
      const pid = await pidOf(database)
      const began = performance.now()
      const waiting = database.transact((sql) => lockCheckout(sql, { merchantId: 'tea-id', checkoutId: checkout.id }))
      await assert.rejects(waiting, DatabaseUnavailable)
      assert.ok(performance.now() - began < 2000)
      assert.equal(await pidOf(database), pid)
      await letGo()
    })

    test(
      'a process that freezes inside a transaction loses the row, and learns it when it thaws',
      standstill,
      async () => {
        const database = await open({ idleInTransactionMs: 100 })
        const checkout = freshCheckout({ merchantId: 'tea-id' })
        const shop = await openShop({ database, gateway: countingGateway() })
        await insertCheckout(shop.parts.database, checkout)
        await assert.rejects(
          database.transact(async (sql) => {
            await lockCheckout(sql, { merchantId: 'tea-id', checkoutId: checkout.id })
            await peer.query('UPDATE checkouts SET version = 7 WHERE id = $1', [checkout.id])
            await sql.rows('SELECT 1 AS x')
          }),
          DatabaseUnavailable,
        )
        const [row = {}] = await database.rows('SELECT version FROM checkouts WHERE id = $1', checkout.id)
        assert.equal(integer(row, 'version'), 7)
      },
    )

    test('a migration and the claim of the server outlast every limit', standstill, async () => {
      const limits = { lockMs: 50, idleInTransactionMs: 50, statementMs: 50, clientMs: 100 }
      const database = await open(limits)
      const second = await open(limits)
      assert.equal((await database.claimServer()).isOurs, true)
      await peer.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
      const migrating = database.migrate(await readMigrations(), 0)
      await Promise.race([migrating, peer.query('SELECT pg_sleep(0.5)')])
      assert.equal((await second.claimServer()).isOurs, false)
      await peer.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK])
      await migrating
    })
  })
})
