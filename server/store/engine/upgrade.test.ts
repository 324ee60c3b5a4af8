import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MerchantCheckoutAnswer } from '#contract/merchant/checkout-answer.ts'
import type { RefundAnswer } from '#contract/merchant/refunds.ts'
import type { SummaryAnswer } from '#contract/merchant/reports.ts'
import { onBothEmptyDatabases } from '../../../proof/harness/databases.ts'
import { fakeGateway } from '../../../proof/harness/fake-gateway.ts'
import { MERCHANT_SETTINGS, API_KEYS } from '../../../proof/harness/test-merchants.ts'
import { openTestServer } from '../../../proof/harness/test-server.ts'
import { forgetOldBrowsers } from '../checkout/authentications.ts'
import type { Database } from './database.ts'
import { readMigrations } from './migrate.ts'
import { hashKey, keysOfMerchant } from '../merchant/keys.ts'
import { findMerchant, listMerchants } from '../merchant/merchants.ts'

/** The last migration of the release before. Its rows are written as it wrote them: by statements of its own, not of this one. */
const BEFORE = '0004-card-testing.sql'
const CREATED_AT = Date.parse('2026-11-01T00:00:00Z')
const PAID_AT = Date.parse('2026-11-10T15:00:00Z')
const RECEIPT = { email: 'taro"ü@example.com', locale: 'ja_JP' }
const [OPEN, PAID, LIVE] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)]

const literal = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

const insert = (table: string, row: Readonly<Record<string, string | number | null>>): string =>
  `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.values(row).map(literal).join()})`

const checkout = (id: string, more: Readonly<Record<string, string | number | null>>) =>
  insert('checkouts', {
    merchant_id: 'tea-id',
    id,
    version: 0,
    mode: 'test',
    status: 'open',
    amount_yen: 1980,
    valid_until: 4e12,
    accepted_card_brands: '["visa"]',
    metadata: '{"order":"1"}',
    created_at: PAID_AT - 1000,
    ...more,
  })

const paidRows = (id: string, mode: string, orderCode: string): string[] => {
  const charged = { name: 'charged', receipt: RECEIPT, transactionId: `txn-${mode}`, approvedAt: PAID_AT }
  const line = { merchant_id: 'tea-id', entry: `charge ${orderCode}`, checkout_id: id, booked_at: PAID_AT }
  return [
    checkout(id, {
      mode,
      status: 'paid',
      order_code: orderCode,
      transaction_id: `txn-${mode}`,
      paid_at: PAID_AT,
      card_brand: 'visa',
      card_last_four: '4242',
    }),
    insert('attempts', {
      merchant_id: 'tea-id',
      order_code: orderCode,
      checkout_id: id,
      amount_yen: 1980,
      card_brand: 'visa',
      card_last_four: '4242',
      started_at: PAID_AT - 500,
      state: 'charged',
      details: JSON.stringify(charged),
      consent_version: '2026-11-01',
      mode,
    }),
    insert('ledger_lines', { ...line, account: 'acquirer', amount_yen: 1980 }),
    insert('ledger_lines', { ...line, account: 'merchant', amount_yen: -1980 }),
    insert('refunds', {
      merchant_id: 'tea-id',
      checkout_id: id,
      refund_id: 'r1',
      order_code: orderCode,
      amount_yen: 80,
      requested_at: PAID_AT + 5,
      state: 'refunded',
      details: JSON.stringify({ name: 'refunded', refundedAt: PAID_AT + 5 }),
    }),
  ]
}

const ROWS = [
  insert('merchants', {
    id: 'tea-id',
    label: 'tea',
    settings: JSON.stringify(MERCHANT_SETTINGS),
    created_at: CREATED_AT,
  }),
  insert('api_keys', { hash: hashKey(API_KEYS.tea), merchant_id: 'tea-id', mode: 'test', created_at: CREATED_AT }),
  insert('api_keys', { hash: hashKey(API_KEYS.live), merchant_id: 'tea-id', mode: 'live', created_at: CREATED_AT }),
  checkout(OPEN, {}),
  ...paidRows(PAID, 'test', 'd'.repeat(32)),
  ...paidRows(LIVE, 'live', 'e'.repeat(32)),
  insert('authentications', {
    merchant_id: 'tea-id',
    order_code: 'd'.repeat(32),
    ticket: 'ticket',
    page_origin: 'https://tea.example.com',
    session: '{}',
    browser: '{"ip":"192.0.2.7"}',
  }),
]

const assertKeysKept = async (database: Database): Promise<void> => {
  assert.equal((await findMerchant(database, 'tea'))?.closedAt, null)
  assert.deepEqual(
    (await listMerchants(database, () => assert.fail())).map(({ label, createdAt }) => [label, createdAt]),
    [['tea', CREATED_AT]],
  )
  const unset = { name: null, hint: null, lastUsedAt: null, expiresAt: null, revokedAt: null }
  const kept = { merchantId: 'tea-id', access: 'full', createdAt: CREATED_AT, ...unset }
  assert.deepEqual(
    (await keysOfMerchant(database, 'tea-id')).toSorted((one, other) => (one.mode < other.mode ? -1 : 1)),
    [
      { hash: hashKey(API_KEYS.live), mode: 'live', ...kept },
      { hash: hashKey(API_KEYS.tea), mode: 'test', ...kept },
    ],
  )
}

describe('a database of the release before', () => {
  onBothEmptyDatabases(({ name: engine, open }) => {
    test(`on ${engine} is upgraded: its keys may do all that they could, and its rows are read, listed and found by e-mail`, async () => {
      const database = await open()
      const migrations = await readMigrations()
      const old = migrations.filter(({ name }) => name <= BEFORE)
      assert.equal(old.at(-1)?.name, BEFORE)
      assert.ok(old.length < migrations.length)
      await database.migrate(old, 0)
      for (const row of ROWS) await database.rows(row)
      await database.migrate(migrations, 1)
      await assertKeysKept(database)
      for (const [before, left] of [
        [PAID_AT - 500, 1],
        [PAID_AT - 499, 0],
      ] as const) {
        await forgetOldBrowsers(database, before)
        const kept = await database.rows('SELECT ticket FROM authentications WHERE browser IS NOT NULL')
        assert.equal(kept.length, left)
      }
      const { app } = await openTestServer({ database, gateway: fakeGateway() })
      const get = async <T>(path: string): Promise<T> => {
        const headers = { host: 'localhost:3000', authorization: `Bearer ${API_KEYS.tea}` }
        const answer = await app.inject({ url: `/merchant/v1${path}`, headers })
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json<T>()
      }
      const ids = async (query: string): Promise<string[]> =>
        (await get<{ items: MerchantCheckoutAnswer[] }>(`/checkouts${query}`)).items.map(({ id }) => id)
      const me = await get<{ key: object }>('/me')
      assert.deepEqual(me.key, { access: 'full', createdAt: new Date(CREATED_AT).toISOString() })
      assert.deepEqual(await ids(''), [PAID, OPEN])
      assert.deepEqual(await ids(`?email=${encodeURIComponent(RECEIPT.email)}`), [PAID])
      assert.deepEqual(await ids('?transactionId=txn-test'), [PAID])
      assert.deepEqual(await ids('?transactionId=txn-live'), [])
      const paid = await get<MerchantCheckoutAnswer>(`/checkouts/${PAID}`)
      assert.deepEqual([paid.status, paid.shopper, paid.refundedAmount], ['paid', RECEIPT, 80])
      assert.equal(paid.consent?.version, '2026-11-01')
      assert.deepEqual([paid.authentication, paid.reference, paid.taxes], [undefined, undefined, undefined])
      const { items } = await get<{ items: RefundAnswer[] }>('/refunds')
      assert.deepEqual(
        items.map(({ checkoutId, refundId }) => [checkoutId, refundId]),
        [[PAID, 'r1']],
      )
      assert.equal((await get<SummaryAnswer>('/summary?from=2026-11-11&to=2026-11-11')).total.chargedAmount, 1980)
      await app.close()
      await database.close()
    })
  })
})
