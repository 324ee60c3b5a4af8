import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Checkout, CheckoutState } from '#payment/checkout.ts'
import { ATTEMPT_STATES, NOW, payment } from '#payment/testing/records.ts'
import { onBothDatabases } from '../../../proof/harness/databases.ts'
import { freshAttempt, freshCheckout, ALL_ATTEMPT_STATES } from '../../../proof/harness/fresh-records.ts'
import { MERCHANT_SETTINGS, testKey } from '../../../proof/harness/test-merchants.ts'
import { attemptsOfCheckout } from '../checkout/attempts.ts'
import type { Database } from './database.ts'
import { text } from './columns.ts'
import { readMigrations } from './migrate.ts'
import {
  findKey,
  hashKey,
  insertKey,
  keyIdOf,
  keysOfMerchant,
  saveExpiry,
  saveLastUse,
  saveRevocation,
} from '../merchant/keys.ts'
import {
  closeMerchant,
  findMerchant,
  hasMerchants,
  insertMerchant,
  listMerchants,
  readInvoiceIssuer,
} from '../merchant/merchants.ts'
import { findKeyHolder } from '../merchant/callers.ts'
import { lockCheckout } from '../checkout/transitions.ts'
import {
  findCheckout,
  findInFlight,
  insertCheckout,
  saveAttempt,
  saveCheckoutState,
  saveMerchant,
} from '../../../proof/harness/save-records.ts'
import { readCheckoutSnapshot } from '../checkout/checkout-reads.ts'

const { started, charging } = ATTEMPT_STATES

describe('the store', () => {
  onBothDatabases(({ open }) => {
    let database: Database
    before(async () => {
      database = await open()
      await saveMerchant(database, { id: 'tea', label: 'tea', settings: MERCHANT_SETTINGS }, NOW)
      await saveMerchant(database, { id: 'books', label: 'books', settings: MERCHANT_SETTINGS }, NOW)
    })

    const stored = async (more: Partial<Checkout> = {}): Promise<Checkout> => {
      const checkout = freshCheckout(more)
      await database.transact((sql) => insertCheckout(sql, checkout))
      return checkout
    }

    test('migrations that have run are not run again, and nothing stored is touched', async () => {
      const checkout = await stored()
      const migrations = await readMigrations()
      const before = await database.rows('SELECT name, applied_at FROM migrations ORDER BY name')
      await database.migrate(migrations, NOW)
      assert.deepEqual(await database.rows('SELECT name, applied_at FROM migrations ORDER BY name'), before)
      assert.deepEqual(
        before.map(({ name }) => name),
        migrations.map(({ name }) => name),
      )
      assert.deepEqual(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
    })

    test('a migration that violates a constraint fails with its name and leaves nothing behind', async () => {
      const text = `CREATE TABLE half (x BIGINT); INSERT INTO merchants (id, label, settings, created_at) VALUES ('tea', 'again', '{}', 0)`
      await assert.rejects(
        database.migrate([{ name: '9999-broken.sql', text, oldestBeside: '1.51.0' }], NOW),
        /merchants_pkey/,
      )
      await assert.rejects(database.rows('SELECT x FROM half'))
      const applied = await database.rows(`SELECT name FROM migrations WHERE name = '9999-broken.sql'`)
      assert.deepEqual(applied, [])
    })

    test('a checkout comes back as it was stored, in every script and with every field set', async () => {
      const checkout = await stored({
        amountYen: 9_999_999,
        subject: '煎茶「山霧」🍵 ชา 한국 \u2028 \' " \\ ; -- $1 ?',
        remarks: 'line 1\nline 2\r\n\ttab',
        acceptedCardBrands: ['visa', 'master', 'jcb', 'amex', 'diners', 'discover'],
        cancelUrl: 'https://shop.example.com/カート?a=1#b',
        redirectUrl: 'https://shop.example.com/thanks',
        locale: 'zh_TW',
        metadata: { 注文: 'A-1024', 'a\nb': '\0', empty: '', quote: `"'` },
        taxes: [
          { rate: 8, amount: 0 },
          { rate: 10, amount: 9_999_999 },
        ],
      })
      assert.deepEqual(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
    })

    test('a checkout without its optional fields comes back as it was stored', async () => {
      const checkout = await stored({ amountYen: 1, mode: 'live' })
      assert.deepEqual(await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), checkout)
    })

    const states: readonly CheckoutState[] = [
      { status: 'open' },
      { status: 'paid', payment },
      { status: 'paid', payment: { ...payment, invoiceIssuer: { registrationNumber: 'T1234567890123', name: '茶' } } },
      { status: 'refunded', payment, refundedAt: NOW + 5 },
      { status: 'failed', closedAt: NOW + 1 },
      { status: 'cancelled', closedAt: NOW + 2 },
      { status: 'expired', closedAt: NOW + 3 },
    ]
    for (const state of states) {
      test(`a checkout that is ${state.status} is still ${state.status} when it is read again`, async () => {
        const checkout = await stored()
        await saveCheckoutState(database, { ...checkout, state })
        assert.deepEqual((await findCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }))?.state, state)
      })
    }

    test('an attempt of an earlier release is read, and one of ours can be read by it', async () => {
      const checkout = await stored()
      const ref = { merchantId: 'tea', checkoutId: checkout.id }
      const { claimedAt: _, ...undated } = ATTEMPT_STATES.charging
      await saveAttempt(database, freshAttempt(checkout, ATTEMPT_STATES.charging))
      await database.rows(
        'UPDATE attempts SET details = $1 WHERE checkout_id = $2',
        JSON.stringify(undated),
        checkout.id,
      )
      assert.deepEqual((await findInFlight(database, ref))?.state, { ...undated, claimedAt: 0 })
      await saveAttempt(database, freshAttempt(checkout, ATTEMPT_STATES.not_charged))
      const rows = await database.rows(
        `SELECT details FROM attempts WHERE state = 'void' AND checkout_id = $1`,
        checkout.id,
      )
      assert.equal(text(rows[0] ?? {}, 'details'), '{"name":"void","why":"nothing was charged"}')
    })

    test('an attempt in each of its states comes back as it was stored, amounts and times as numbers', async () => {
      for (const state of ALL_ATTEMPT_STATES) {
        const checkout = await stored()
        const attempt = freshAttempt(checkout, state)
        await saveAttempt(database, attempt)
        assert.deepEqual(await attemptsOfCheckout(database, { merchantId: 'tea', checkoutId: checkout.id }), [attempt])
      }
    })

    test('amounts, times and sums of them are numbers, not texts', async () => {
      const checkout = await stored({ amountYen: 9_999_999, validUntil: 8_640_000_000_000_000 })
      await saveAttempt(database, freshAttempt(checkout, charging))
      const [row = {}] = await database.rows(
        `SELECT amount_yen, valid_until, created_at, version, paid_at FROM checkouts WHERE merchant_id = $1 AND id = $2`,
        'tea',
        checkout.id,
      )
      assert.deepEqual(
        { ...row },
        { amount_yen: 9_999_999, valid_until: 8_640_000_000_000_000, created_at: NOW, version: 0, paid_at: null },
      )
      const [due = {}] = await database.rows(
        'SELECT due_at, cast(sum(amount_yen) as bigint) AS total FROM attempts WHERE checkout_id = $1 GROUP BY due_at',
        checkout.id,
      )
      assert.deepEqual({ ...due }, { due_at: NOW + 35_000, total: 9_999_999 })
    })

    test('the same checkout id and order code under two merchants stay two records', async () => {
      const tea = await stored({ subject: 'tea' })
      const books = { ...tea, merchantId: 'books', subject: 'books' }
      await insertCheckout(database, books)
      const teaAttempt = freshAttempt(tea, charging)
      const booksAttempt = freshAttempt(books, started, { orderCode: teaAttempt.orderCode, amountYen: 5 })
      await saveAttempt(database, teaAttempt)
      await saveAttempt(database, booksAttempt)

      assert.equal((await findCheckout(database, { merchantId: 'books', checkoutId: tea.id }))?.subject, 'books')
      assert.deepEqual(await attemptsOfCheckout(database, { merchantId: 'books', checkoutId: tea.id }), [booksAttempt])
      assert.deepEqual(await findInFlight(database, { merchantId: 'tea', checkoutId: tea.id }), teaAttempt)
      assert.equal(await findInFlight(database, { merchantId: 'books', checkoutId: tea.id }), null)
      assert.equal((await readCheckoutSnapshot(database, { merchantId: 'books', checkoutId: tea.id }))?.inFlight, null)
      const locked = await database.transact((sql) => lockCheckout(sql, { merchantId: 'books', checkoutId: tea.id }))
      if (locked === null) assert.fail('not locked')
      assert.deepEqual([locked.checkout.subject, locked.attempts, locked.inFlight], ['books', [booksAttempt], null])

      await saveCheckoutState(database, { ...books, state: { status: 'cancelled', closedAt: NOW } })
      assert.equal((await findCheckout(database, { merchantId: 'tea', checkoutId: tea.id }))?.state.status, 'open')
      assert.equal(await findCheckout(database, { merchantId: 'nobody', checkoutId: tea.id }), null)
      assert.deepEqual(await attemptsOfCheckout(database, { merchantId: 'nobody', checkoutId: tea.id }), [])
      assert.equal(
        await database.transact((sql) => lockCheckout(sql, { merchantId: 'nobody', checkoutId: tea.id })),
        null,
      )
    })

    const settingsStored = (settings: object): Promise<unknown> =>
      database.rows(`UPDATE merchants SET settings = $1 WHERE label = 'books'`, JSON.stringify(settings))

    test('a registration number is T and 13 digits or none, and a merchant of an earlier release has none', async () => {
      const read = async (): Promise<unknown> => (await findMerchant(database, 'books'))?.settings.registrationNumber
      const { registrationNumber: _, ...earlier } = MERCHANT_SETTINGS
      await settingsStored(earlier)
      assert.deepEqual([await read(), await readInvoiceIssuer(database, 'books')], [null, null])
      for (const registrationNumber of ['T1234567890123', 'T0000000000000', null]) {
        await settingsStored({ ...MERCHANT_SETTINGS, registrationNumber })
        assert.equal(await read(), registrationNumber)
        assert.deepEqual(
          await readInvoiceIssuer(database, 'books'),
          registrationNumber === null ? null : { registrationNumber, name: 'Aoyama Tea' },
        )
      }
      for (const wrong of [
        'T123456789012',
        'T12345678901234',
        't1234567890123',
        '1234567890123',
        'T12345678９0123',
        '',
      ])
        await settingsStored({ ...MERCHANT_SETTINGS, registrationNumber: wrong }).then(() =>
          assert.rejects(findMerchant(database, 'books'), /column settings/, wrong),
        )
      await settingsStored(MERCHANT_SETTINGS)
    })

    test('a merchant that is inserted again changes nothing', async () => {
      const settings = { ...MERCHANT_SETTINGS, allowExemption: false }
      const again = { id: 'other', label: 'books', settings }
      assert.equal(await insertMerchant(database, again, NOW), null)
      assert.deepEqual(await findMerchant(database, 'books'), {
        id: 'books',
        label: 'books',
        settings: MERCHANT_SETTINGS,
        forcedChallengeUntil: { test: 0, live: 0 },
        closedAt: null,
      })
      assert.equal(await findMerchant(database, 'nobody'), null)
    })

    test('merchants are listed by label with the time of their creation, and a closed one stays closed since then', async () => {
      const empty = await open()
      assert.equal(await hasMerchants(empty), false)
      for (const [label, createdAt] of [
        ['tea', 3],
        ['books', 4],
        ['b-2', 5],
      ] as const)
        await insertMerchant(empty, { id: `${label}-id`, label, settings: MERCHANT_SETTINGS }, createdAt)
      assert.equal(await hasMerchants(empty), true)
      await closeMerchant(empty, 'tea-id', 7)
      await closeMerchant(empty, 'tea-id', 8)
      const listed = (await listMerchants(empty, () => assert.fail())).map(({ label, createdAt, closedAt }) => [
        label,
        createdAt,
        closedAt,
      ])
      assert.deepEqual(listed, [
        ['b-2', 5, null],
        ['books', 4, null],
        ['tea', 3, 7],
      ])
      assert.equal((await findMerchant(empty, 'tea'))?.closedAt, 7)
    })

    test('a key belongs to its own merchant, is found by its hash and its id, and only its hash and hint are stored', async () => {
      const key = `sk_live_${'x'.repeat(30)}9z`
      const hash = hashKey(key)
      await insertKey(
        database,
        testKey(key, 'books', { mode: 'live', access: 'sales', name: 'till', expiresAt: 9 }),
        NOW,
      )
      await insertKey(database, testKey(key, 'tea'), NOW + 1)
      const stored = {
        hash,
        merchantId: 'books',
        mode: 'live',
        access: 'sales',
        name: 'till',
        hint: 'xx9z',
        createdAt: NOW,
        lastUsedAt: null,
        expiresAt: 9,
        revokedAt: null,
      }
      const merchant = await findMerchant(database, 'books')
      assert.deepEqual(await findKeyHolder(database, hash), { merchant, mode: 'live', key: stored, account: null })
      assert.equal(await findKeyHolder(database, hashKey(`${key}x`)), null)
      assert.deepEqual(await findKey(database, keyIdOf({ hash })), stored)
      assert.equal(await findKey(database, '0'.repeat(16)), null)
      assert.deepEqual(await keysOfMerchant(database, 'books'), [stored])
      assert.deepEqual(await keysOfMerchant(database, 'tea'), [])
      assert.equal(JSON.stringify(await database.rows('SELECT * FROM api_keys')).includes(key), false)

      await saveLastUse(database, hash, NOW + 2)
      await saveExpiry(database, hash, NOW + 3)
      await saveRevocation(database, hash, NOW + 4)
      await saveRevocation(database, hash, NOW + 5)
      const changed = { ...stored, lastUsedAt: NOW + 2, expiresAt: NOW + 3, revokedAt: NOW + 4 }
      assert.deepEqual(await keysOfMerchant(database, 'books'), [changed])
    })
  })
})
