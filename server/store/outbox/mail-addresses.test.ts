import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '#contract/jst.ts'
import { UNCONFIRMED_KEPT_MS } from '#payment/mail-permission.ts'
import { onBothDatabases, onBothEmptyDatabases } from '../../../proof/harness/databases.ts'
import { readMigrations } from '../engine/migrate.ts'
import {
  confirmByToken,
  findByToken,
  forgetUnconfirmed,
  isRegistered,
  listMailAddresses,
  markAsked,
  registerByOperator,
  removeRegistration,
  saveToken,
  unmarkAsked,
} from './mail-addresses.ts'
import { countedMail, countMail, forgetOldCounts, keepBack, uncountMail } from './mail-counts.ts'

const NOW = Date.parse('2026-11-15T03:00:00Z')
const REF = { merchantId: 'm1', address: ' Dev@Example.com ' }
const SAME = { merchantId: 'm1', address: 'dev@example.COM' }
const OTHER = { merchantId: 'm2', address: 'dev@example.com' }
const [TOKEN, LATER_TOKEN] = ['a'.repeat(32), 'b'.repeat(32)]

describe('registered mail addresses', () => {
  onBothDatabases(({ open }) => {
    test('an address is one however it is written, and registered with one merchant alone', async () => {
      const database = await open()
      assert.equal(await registerByOperator(database, REF, NOW), true)
      assert.equal(await registerByOperator(database, SAME, NOW + 1), false)
      assert.deepEqual([await isRegistered(database, SAME), await isRegistered(database, OTHER)], [true, false])
      assert.deepEqual(await listMailAddresses(database, 'm1'), [
        { address: 'dev@example.com', registered: { by: 'operator', at: NOW }, askedAt: null },
      ])
    })

    test('an address is asked once, and one that was removed is not asked again', async () => {
      const database = await open()
      assert.deepEqual([await markAsked(database, REF, NOW), await markAsked(database, SAME, NOW)], [true, false])
      await unmarkAsked(database, SAME)
      assert.equal(await markAsked(database, SAME, NOW), true)
      assert.equal(await registerByOperator(database, REF, NOW), true)
      await unmarkAsked(database, SAME)
      assert.equal(await isRegistered(database, REF), true)
      assert.deepEqual(
        [await removeRegistration(database, SAME, NOW), await removeRegistration(database, SAME, NOW)],
        [true, false],
      )
      assert.deepEqual([await isRegistered(database, REF), await markAsked(database, REF, NOW)], [false, false])
    })

    test('a link confirms once, for its merchant, while it is the last one, and is not stored', async () => {
      const database = await open()
      await markAsked(database, REF, NOW)
      assert.equal(await saveToken(database, OTHER, TOKEN, NOW), false)
      assert.equal(await saveToken(database, SAME, TOKEN, NOW), true)
      assert.equal(await saveToken(database, SAME, LATER_TOKEN, NOW), true)
      assert.equal(await findByToken(database, 'm1', TOKEN, NOW), null)
      assert.equal(await confirmByToken(database, 'm2', LATER_TOKEN, NOW), null)
      assert.equal(await confirmByToken(database, 'm1', LATER_TOKEN, NOW), 'dev@example.com')
      assert.equal(await confirmByToken(database, 'm1', LATER_TOKEN, NOW), null)
      assert.deepEqual((await findByToken(database, 'm1', LATER_TOKEN, NOW))?.registered, { by: 'confirmed', at: NOW })
      assert.equal(await saveToken(database, SAME, TOKEN, NOW), false)
      assert.ok(!JSON.stringify(await database.rows('SELECT * FROM mail_addresses')).includes(LATER_TOKEN))
      await removeRegistration(database, REF, NOW)
      assert.equal(await confirmByToken(database, 'm1', LATER_TOKEN, NOW), null)
    })

    test('an address that has not confirmed is forgotten after 90 days, a registered one never', async () => {
      const database = await open()
      await markAsked(database, REF, NOW)
      await registerByOperator(database, OTHER, NOW)
      await forgetUnconfirmed(database, NOW + UNCONFIRMED_KEPT_MS)
      assert.equal((await listMailAddresses(database, 'm1')).length, 1)
      await forgetUnconfirmed(database, NOW + UNCONFIRMED_KEPT_MS + 1)
      assert.deepEqual(
        [(await listMailAddresses(database, 'm1')).length, await isRegistered(database, OTHER)],
        [0, true],
      )
    })

    test('mails are counted by reader, by merchant and by both, and two at once see each other', async () => {
      const database = await open()
      const mail = (merchantId: string, recipient: string) => countedMail({ class: 'test', merchantId, recipient }, NOW)
      const counts = await Promise.all(
        Array.from({ length: 20 }, () => countMail(database, mail('m1', 'dev@example.com'))),
      )
      const inOrder = counts.map(({ fromMerchant }) => fromMerchant).toSorted((one, other) => one - other)
      assert.deepEqual(
        inOrder,
        Array.from({ length: 20 }, (_none, at) => at + 1),
      )
      assert.deepEqual(await countMail(database, mail('m2', 'DEV@example.com')), {
        toOneFromAll: 21,
        toOneFromMerchant: 1,
        fromMerchant: 1,
      })
      assert.deepEqual(await countMail(database, mail('m1', 'other@example.com')), {
        toOneFromAll: 1,
        toOneFromMerchant: 1,
        fromMerchant: 21,
      })
      await uncountMail(database, mail('m1', 'dev@example.com'))
      assert.deepEqual(await countMail(database, mail('m1', 'dev@example.com')), {
        toOneFromAll: 21,
        toOneFromMerchant: 20,
        fromMerchant: 21,
      })
      assert.deepEqual(
        [await keepBack(database, mail('m1', 'x@example.com')), await keepBack(database, mail('m1', 'y@example.com'))],
        [1, 2],
      )
      assert.ok(!JSON.stringify(await database.rows('SELECT * FROM mail_counts')).includes('@'))
    })

    test('counts are of one day and one class, and forgotten after two days', async () => {
      const database = await open()
      const mail = { class: 'test', merchantId: 'm1', recipient: 'dev@example.com' } as const
      await countMail(database, countedMail(mail, NOW))
      assert.equal((await countMail(database, countedMail({ ...mail, class: 'refund' }, NOW))).fromMerchant, 1)
      assert.equal((await countMail(database, countedMail(mail, NOW + DAY_MS))).fromMerchant, 1)
      await forgetOldCounts(database, NOW + DAY_MS)
      assert.equal((await countMail(database, countedMail(mail, NOW))).fromMerchant, 2)
      await forgetOldCounts(database, NOW + 2 * DAY_MS)
      assert.equal((await countMail(database, countedMail(mail, NOW))).fromMerchant, 1)
      assert.equal((await countMail(database, countedMail(mail, NOW + DAY_MS))).fromMerchant, 2)
    })
  })
})

describe('the table of mails after its upgrade', () => {
  onBothEmptyDatabases(({ name: engine, open }) => {
    test(`on ${engine} every mail of the release before is kept as it was, with its indexes, and a new kind is taken`, async () => {
      const database = await open()
      const migrations = await readMigrations()
      const upgrade = migrations.findIndex(({ name }) => name.startsWith('0017-'))
      await database.migrate(migrations.slice(0, upgrade), 0)
      const insert = (id: string, kind: string, facts: string | null) =>
        database.rows(
          `INSERT INTO mails (merchant_id, id, checkout_id, kind, locale, recipient, facts, state, tries, next_try_at,
             answer, created_at, asked_again_at, ended_at)
           VALUES ('m1', $1, 'c1', $2, 'ja_JP', 'Taro@example.com', $3, 'refused', 3, 4, '550', 5, 6, 7)`,
          id,
          kind,
          facts,
        )
      for (const id of ['b', 'a', 'c']) await insert(id, 'receipt', '{}')
      await insert('d', 'endpoint_gone', null)
      const rows = () => database.rows('SELECT * FROM mails')
      const before = await rows()
      await assert.rejects(insert('e', 'confirmation', '{}'))
      await database.migrate(migrations, 1)
      assert.deepEqual(await rows(), before)
      await insert('e', 'confirmation', '{}')
      await assert.rejects(insert('a', 'receipt', '{}'))
      const indexes = await database.rows(
        engine === 'SQLite'
          ? "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'mails' AND sql IS NOT NULL ORDER BY name"
          : "SELECT indexname AS name FROM pg_indexes WHERE tablename = 'mails' AND indexname <> 'mails_pkey' ORDER BY indexname",
      )
      assert.deepEqual(
        indexes.map(({ name }) => name),
        [
          'mails_due',
          'mails_due_of_merchant',
          'mails_due_to_shops',
          'mails_failed',
          'mails_failed_of_merchant',
          'mails_of_checkout',
          'mails_refused_to',
          'mails_to_empty',
          'mails_to_send_again',
        ],
      )
      await database.close()
    })
  })
})
