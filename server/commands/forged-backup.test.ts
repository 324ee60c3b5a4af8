import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { openMerchantClient } from '../../proof/harness/merchant-client.ts'
import { OPEN_SERVER_DATABASE } from '../../proof/harness/server-databases.ts'
import { runCommand, type CommandResult } from '../../proof/harness/run-command.ts'
import { newSecretKey } from '../config/secret-key.ts'
import { rowDigest } from '../store/backup/backup-file.ts'
import { tablesOf } from '../store/backup/backup-tables.ts'
import { openPostgres } from '../store/engine/postgres.ts'
import { readBackup, restoreInto } from '../store/backup/restore.ts'
import { adoptSecretKeys } from '../store/engine/secret-key-check.ts'
import { snapshotOfFile } from '../store/backup/snapshot.ts'
import { openSqlite } from '../store/engine/sqlite.ts'

/** What anybody who can write to the file can do: the digests hold no secret. */
const withDigestsAnew = async (path: string): Promise<void> => {
  const database = new DatabaseSync(path)
  const snapshot = snapshotOfFile(path)
  const sums: (readonly [number, string, string])[] = []
  for (const { name, ...table } of tablesOf(database)) {
    const digest = rowDigest()
    for await (const row of snapshot.rows({ name, ...table })) digest.add(row)
    const { rowCount, digest: sum } = digest.end()
    sums.push([rowCount, sum, name])
  }
  await snapshot.close()
  for (const sum of sums)
    database.prepare('UPDATE backup_tables SET row_count = ?, digest = ? WHERE name = ?').run(...sum)
  database.close()
}

const edited = (path: string, statements: string): void => {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}

const OWN_KEY = createHash('sha256').update('sk_test_of_a_thief').digest('hex')
const ADDED_KEY = `INSERT INTO api_keys (hash, merchant_id, mode, created_at, access, hint)
  SELECT '${OWN_KEY}', merchant_id, 'live', 0, 'full', 'aaaa' FROM api_keys LIMIT 1`
/** As the release before wrote it. */
const WITHOUT_HMAC = `ALTER TABLE backup DROP COLUMN hmac; ALTER TABLE backup DROP COLUMN key_id`

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`a forged backup of ${engine}`, { concurrency: 1 }, () => {
    const key = newSecretKey()
    let folder: string
    let file: string
    let close: () => Promise<void>
    let targets = 0

    /** Into an empty database, with the keys of these settings. */
    const restore = async (path: string, env: Record<string, string>, ...options: string[]): Promise<CommandResult> => {
      targets += 1
      const dataDir = join(folder, `target-${targets}`)
      const result = await runCommand(['restore', path, ...options], { DATA_DIR: dataDir, ...env })
      // Nothing is written, not even an empty file, before the backup has proven itself.
      if (result.code !== 0) await assert.rejects(readdir(dataDir))
      return result
    }
    const changed = async (change: (path: string) => unknown): Promise<string> => {
      const path = join(folder, 'changed.backup')
      await cp(file, path)
      await change(path)
      return path
    }
    const refused = async (
      change: (path: string) => unknown,
      line: RegExp,
      env = { SECRET_KEY: key },
    ): Promise<void> => {
      const path = await changed(change)
      for (const options of [[], ['--unverified', 'accept']]) {
        const { code, errors } = await restore(path, env, ...options)
        assert.equal(code, 2)
        assert.match(errors.join(), line)
      }
    }

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-forged-'))
      file = join(folder, 'taken.backup')
      const place = await openPlace(folder)
      close = place.close
      const client = await openMerchantClient(place.database)
      for (let made = 0; made < 3; made += 1) await client.createPaid({ amount: 100 + made })
      await adoptSecretKeys(place.database, [key])
      const { code, errors } = await runCommand(['backup', file], { ...place.env, SECRET_KEY: key })
      assert.deepEqual([code, errors], [0, []])
      const without = await runCommand(['backup', join(folder, 'x')], place.env)
      assert.match(without.errors.join(), /^There is no secret key at hand/)
      const other = { ...place.env, SECRET_KEY: newSecretKey() }
      assert.match((await runCommand(['backup', join(folder, 'x')], other)).errors.join(), /is not the one that this/)
    })
    after(async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    })

    test('with an added API key, a row taken out, rows in another order or another time is refused though its digests fit', async () => {
      const wrong = /was changed after it was written: its HMAC is wrong/
      const forged = (statements: string) => async (path: string) => {
        edited(path, statements)
        await withDigestsAnew(path)
      }
      await refused(forged(ADDED_KEY), wrong)
      await refused(forged("DELETE FROM ledger_lines WHERE account = 'fees' OR amount_yen > 0"), wrong)
      await refused(forged('UPDATE checkouts SET rowid = rowid + 1000 WHERE rowid = 1'), wrong)
      await refused(forged('UPDATE backup SET taken_at = taken_at + 1'), wrong)
      await refused(forged("UPDATE backup SET release = 'v0.0.1'"), wrong)
      await refused(forged('CREATE TABLE more (x TEXT)'), wrong)
      await refused(forged("UPDATE backup SET hmac = 'é'"), wrong)
      await refused(
        (path) =>
          edited(
            path,
            `UPDATE backup_tables SET name = 'x' WHERE name = 'events';
             UPDATE backup_tables SET name = 'events' WHERE name = 'mails';
             UPDATE backup_tables SET name = 'mails' WHERE name = 'x'`,
          ),
        wrong,
      )
    })

    test('whose rows were changed and whose digests were not is named by its table', async () => {
      await refused((path) => edited(path, ADDED_KEY), /is damaged: the rows of api_keys are not those/)
    })

    test('of another installation is refused, and one that names our key as its own is not taken for it', async () => {
      const other = join(folder, 'other-installation.backup')
      const place = await openPlace(await mkdtemp(join(folder, 'other-')))
      const taken = await runCommand(['backup', other], { ...place.env, SECRET_KEY: newSecretKey() })
      assert.deepEqual(taken.errors, [])
      await place.close()
      const { errors } = await restore(other, { SECRET_KEY: key })
      assert.match(errors.join(), /^No secret key at hand is the one of this backup.*--unverified accept/)
      const mine = new DatabaseSync(file, { readOnly: true })
      const keyId = String(mine.prepare('SELECT key_id FROM backup').get()?.['key_id'])
      mine.close()
      edited(other, `UPDATE backup SET key_id = '${keyId}'`)
      assert.match((await restore(other, { SECRET_KEY: key })).errors.join(), /its HMAC is wrong/)
    })

    test('is told from an honest one of before a rotation, which any known key proves', async () => {
      const rotated = { SECRET_KEY: newSecretKey(), SECRET_KEY_PREVIOUS: key }
      assert.deepEqual((await restore(file, rotated)).errors, [])
      await refused(
        async (path) => {
          edited(path, ADDED_KEY)
          await withDigestsAnew(path)
        },
        /its HMAC is wrong/,
        rotated,
      )
    })

    test('is told from one of the release before, which is restored when the operator says so', async () => {
      const old = await changed((path) => edited(path, WITHOUT_HMAC))
      const { code, errors } = await restore(old, { SECRET_KEY: key })
      assert.equal(code, 2)
      assert.match(errors.join(), /has no HMAC: .* add --unverified accept\.$/)
      assert.deepEqual((await restore(old, { SECRET_KEY: key }, '--unverified', 'accept')).errors, [])
      assert.match(
        (await restore(old, { SECRET_KEY: key }, '--unverified', 'yes')).errors.join(),
        /^--unverified takes one word: accept\.$/,
      )
      // Its digests are looked at all the same.
      edited(old, ADDED_KEY)
      assert.match((await restore(old, { SECRET_KEY: key }, '--unverified', 'accept')).errors.join(), /is damaged/)
    })

    test('is not restored for a lost key by chance: an operator says so, and then no key may be at hand', async () => {
      assert.match(
        (await restore(file, {})).errors.join(),
        /^There is no secret key at hand, so nothing proves .* Set SECRET_KEY.* secret-key of that server into DATA_DIR/,
      )
      const accepted = await restore(file, {}, '--unverified', 'accept')
      assert.deepEqual(accepted.errors, [])
      assert.match(
        accepted.printed.join('\n'),
        /\nThere is no secret key at hand, and a server does not start .* secret reset\n/,
      )
      const another = { SECRET_KEY: newSecretKey() }
      assert.match(
        (await restore(file, another, '--unverified', 'accept')).errors.join(),
        /^The secret key at hand is not the one of this backup/,
      )
    })

    test('that takes the place of a checked one is found out while it is read, and leaves no row', async () => {
      const path = await changed(() => undefined)
      const backup = await readBackup(path, { secretKeys: [key], acceptsUnverified: false })
      if ('problem' in backup) assert.fail(backup.problem)
      edited(path, ADDED_KEY)
      await withDigestsAnew(path)
      const postgres = engine === 'SQLite' ? null : await createPostgresDatabase()
      const target = postgres === null ? openSqlite(':memory:', null) : await openPostgres(postgres.url)
      const result = await restoreInto(target, backup, 1)
      assert.ok('problem' in result)
      assert.match(result.problem, /was changed while it was read\. Nothing was restored/)
      assert.deepEqual(await target.rows('SELECT 1 AS x FROM merchants'), [])
      assert.deepEqual(await target.rows('SELECT 1 AS x FROM restores'), [])
      await target.close()
      await postgres?.drop()
    })
  })
