import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { onBothDatabases, onBothEmptyDatabases, openSqliteInMemory } from '../../../proof/harness/databases.ts'
import { freshCheckout } from '../../../proof/harness/fresh-records.ts'
import { writeBackup } from '../backup/backup-file.ts'
import { Conflict, type Database } from './database.ts'
import { text } from './columns.ts'
import { readMigrations } from './migrate.ts'
import { bookingsWrite, type Booking } from '../checkout/ledger.ts'
import { findMissingInLedger } from '../checkout/money-in-flight.ts'
import { readCheckoutSnapshot } from '../checkout/checkout-reads.ts'
import { readBackup } from '../backup/restore.ts'
import { snapshotOfFile } from '../backup/snapshot.ts'
import { embeddedFile, openEmbedded } from './sqlite.ts'

/** What keeps the cost of an operation from growing with the number of rows (migration 0012, decision 33). */
const LAST_BEFORE = '0011-keeping.sql'
const ROWS = new URL('./testing/full-database-of-the-release-before.sql', import.meta.url)
const ROWS_BEFORE = '0008-invoices.sql'

const readLedger = (database: Database) =>
  database.rows('SELECT * FROM ledger_lines ORDER BY merchant_id, entry, account')

const BOOKING: Booking = {
  merchantId: 'tea-id',
  checkoutId: freshCheckout().id,
  movement: { kind: 'charge', orderCode: 'a'.repeat(32) },
  amountYen: 1980,
  bookedAt: 1,
}

/** How SQLite runs each statement of some work. */
const plansOf = async (work: (database: Database) => Promise<unknown>): Promise<string[]> => {
  const database = await openSqliteInMemory()
  const plans: string[] = []
  await work({
    ...database,
    rows: async (statement, ...values) => {
      for (const row of await database.rows(`EXPLAIN QUERY PLAN ${statement}`)) plans.push(text(row, 'detail'))
      return database.rows(statement, ...values)
    },
  })
  return plans
}

describe('the ledger after its tables were changed', () => {
  onBothEmptyDatabases(({ name, open }) => {
    test(`on ${name} every line is kept as it was`, async () => {
      const database = await open()
      const migrations = await readMigrations()
      const upTo = (last: string) => migrations.filter((migration) => migration.name <= last)
      await database.migrate(upTo(ROWS_BEFORE), 0)
      for (const statement of (await readFile(ROWS, 'utf8')).trim().split(';\n')) await database.rows(statement)
      await database.migrate(upTo(LAST_BEFORE), 1)
      const before = await readLedger(database)
      assert.ok(before.length >= 10, String(before.length))
      await database.migrate(migrations, 2)
      assert.deepEqual(await readLedger(database), before)
      await database.close()
    })
  })

  onBothDatabases(({ open }) => {
    test('what is booked twice is refused by the name of the key, and a mode that nobody knows by a check', async () => {
      const database = await open()
      await database.writeAll(bookingsWrite([BOOKING], 'test'))
      await assert.rejects(
        database.writeAll(bookingsWrite([BOOKING], 'test')),
        (error) => error instanceof Conflict && error.constraint === 'ledger_lines_pkey',
      )
      await assert.rejects(database.rows("UPDATE ledger_lines SET mode = 'x'"), /check/i)
    })
  })
})

test('a backup of the release before, whose ledger is in the order of writing, is still found whole', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-older-backup-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const older = await openEmbedded(folder)
  const migrations = (await readMigrations()).filter(({ name }) => name <= LAST_BEFORE)
  await older.migrate(migrations, 0)
  for (const letter of ['b', 'a'])
    await older.writeAll(
      bookingsWrite([{ ...BOOKING, movement: { kind: 'charge', orderCode: letter.repeat(32) } }], 'test'),
    )
  await older.close()
  const path = join(folder, 'older.backup')
  const snapshot = snapshotOfFile(embeddedFile(folder))
  await writeBackup(path, snapshot, migrations, { release: '1.0.0', takenAt: 1 }, 'key', async () => undefined)
  await snapshot.close()
  const backup = await readBackup(path, { secretKeys: ['key'], acceptsUnverified: false })
  assert.ok('tables' in backup, 'problem' in backup ? backup.problem : '')
  assert.deepEqual(
    backup.tables.filter(({ clusteredBy }) => clusteredBy !== null),
    [],
  )
})

test('SQLite finds a payment in flight in the index of what is in flight, not among all attempts', async () => {
  const plans = await plansOf((database) => readCheckoutSnapshot(database, { merchantId: 'm', checkoutId: 'c' }))
  assert.equal(plans.length, 2)
  assert.match(
    plans[1] ?? '',
    /^SEARCH in_flight USING INDEX attempts_in_flight \(merchant_id=\? AND mode=\? AND checkout_id=\?\)/,
  )
})

test('SQLite finds what is missing in the ledger among the payments of the period alone, and each by its key', async () => {
  const scope = { merchantId: 'm', mode: 'test' } as const
  const plans = await plansOf((database) => findMissingInLedger(database, scope, { from: 1, to: 2 }))
  const byKey = 'SEARCH ledger_lines USING PRIMARY KEY (merchant_id=? AND entry=?)'
  const inPeriod = (time: string): string => `(merchant_id=? AND mode=? AND ${time}>? AND ${time}<?)`
  assert.deepEqual(
    plans.filter((step) => step.startsWith('S')),
    [
      `SEARCH attempts USING INDEX attempts_charged ${inPeriod('started_at')}`,
      byKey,
      `SEARCH refunds USING INDEX refunds_by_request ${inPeriod('requested_at')}`,
      byKey,
    ],
  )
})
