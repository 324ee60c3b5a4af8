import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readCheckout } from '../operations/read-checkout.ts'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { fakeGateway } from '../../proof/harness/fake-gateway.ts'
import { API_KEYS, MERCHANT_SETTINGS, openTestServer } from '../../proof/harness/test-server.ts'
import { readMigrations, type Database, type SqlValue } from './database.ts'
import { hashKey, keysOfMerchant } from './keys.ts'
import { findKeyHolder, findMerchant, listMerchants } from './merchants.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** The last migration of the release before keys had an access. */
const BEFORE = '0004-card-testing.sql'
const NOW = Date.parse('2026-11-01T00:00:00Z')
const CHECKOUT = 'a'.repeat(32)

const places: (() => Promise<unknown>)[] = []
after(async () => {
  for (const leave of places) await leave()
})

const engines: Readonly<Record<string, () => Promise<Database>>> = {
  SQLite: async () => {
    const database = openSqlite(':memory:', null)
    places.push(() => database.close())
    return database
  },
  PostgreSQL: async () => {
    const { url, drop } = await createPostgresDatabase()
    const database = await openPostgres(url)
    places.push(async () => {
      await database.close()
      await drop()
    })
    return database
  },
}

const insert = async (database: Database, table: string, row: Readonly<Record<string, SqlValue>>): Promise<void> => {
  const marks = Object.keys(row).map((_column, at) => `$${at + 1}`)
  const columns = Object.keys(row).join(', ')
  await database.rows(`INSERT INTO ${table} (${columns}) VALUES (${marks.join(', ')})`, ...Object.values(row))
}

/** Rows as the release before wrote them. */
const fillOldTables = async (database: Database): Promise<void> => {
  const settings = JSON.stringify(MERCHANT_SETTINGS)
  await insert(database, 'merchants', { id: 'old-id', label: 'old', settings, created_at: NOW })
  const key = { merchant_id: 'old-id', created_at: NOW }
  await insert(database, 'api_keys', { hash: hashKey(API_KEYS.tea), mode: 'test', ...key })
  await insert(database, 'api_keys', { hash: hashKey(API_KEYS.live), mode: 'live', ...key })
  await insert(database, 'checkouts', {
    merchant_id: 'old-id',
    id: CHECKOUT,
    version: 2,
    mode: 'test',
    status: 'paid',
    amount_yen: 1980,
    subject: '煎茶',
    valid_until: NOW + 1000,
    accepted_card_brands: '["visa"]',
    metadata: '{}',
    created_at: NOW,
    order_code: 'o1',
    transaction_id: 't1',
    paid_at: NOW + 5,
    card_brand: 'visa',
    card_last_four: '4242',
  })
}

describe('a database of the release before keys had an access', () => {
  for (const [engine, openEmpty] of Object.entries(engines)) {
    test(`on ${engine} is upgraded with all its rows readable, and its keys may do all that they could`, async () => {
      const database = await openEmpty()
      const migrations = await readMigrations()
      const old = migrations.filter(({ name }) => name <= BEFORE)
      assert.equal(old.at(-1)?.name, BEFORE)
      assert.ok(old.length < migrations.length)
      await database.migrate(old, NOW)
      await fillOldTables(database)
      await database.migrate(migrations, NOW + 1)

      assert.equal((await findMerchant(database, 'old'))?.closedAt, null)
      assert.deepEqual(
        (await listMerchants(database)).map(({ label, createdAt }) => [label, createdAt]),
        [['old', NOW]],
      )
      const keys = await keysOfMerchant(database, 'old-id')
      const unset = { name: null, hint: null, lastUsedAt: null, expiresAt: null, revokedAt: null }
      assert.deepEqual(
        keys.toSorted((one, other) => (one.mode < other.mode ? -1 : 1)),
        (['live', 'test'] as const).map((mode) => ({
          hash: hashKey(mode === 'live' ? API_KEYS.live : API_KEYS.tea),
          merchantId: 'old-id',
          mode,
          access: 'full',
          createdAt: NOW,
          ...unset,
        })),
      )
      assert.equal((await findKeyHolder(database, hashKey(API_KEYS.tea)))?.merchant.label, 'old')

      const server = await openTestServer({ database, gateway: fakeGateway() })
      const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
      const me = await server.app.inject({ url: '/merchant/v1/me', headers })
      assert.deepEqual(me.json<{ key: object }>().key, { access: 'full', createdAt: new Date(NOW).toISOString() })
      const read = await server.app.inject({ url: `/merchant/v1/checkouts/${CHECKOUT}`, headers })
      assert.equal(read.json<{ status: string }>().status, 'paid')
      const reading = await readCheckout(server.parts, { merchantId: 'old-id', checkoutId: CHECKOUT })
      assert.equal(reading?.checkout.subject, '煎茶')
    })
  }
})
