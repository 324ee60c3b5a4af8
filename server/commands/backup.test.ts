import assert from 'node:assert/strict'
import { cp, mkdtemp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { openMerchantClient, type MerchantClient } from '../../proof/harness/merchant-client.ts'
import { OPEN_SERVER_DATABASE } from '../../proof/harness/server-databases.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { newSecretKey, SECRET_KEY_FILE, writeSecretKeys } from '../config/secret-key.ts'
import { tablesOf } from '../store/backup/backup-tables.ts'
import type { Database } from '../store/engine/database.ts'
import { openPostgres } from '../store/engine/postgres.ts'
import { restoreToRecover } from '../store/backup/restore-marker.ts'
import { adoptSecretKeys } from '../store/engine/secret-key-check.ts'
import { openEmbedded } from '../store/engine/sqlite.ts'

type Env = Record<string, string>

/** An empty place on another machine: its settings, and its database once it is there. */
interface EmptyPlace {
  readonly env: Env
  open(): Promise<Database>
  drop(): Promise<void>
}

const EMPTY_PLACES: Readonly<Record<string, (dataDir: string) => Promise<EmptyPlace>>> = {
  SQLite: async (dataDir) => ({
    env: { DATA_DIR: dataDir },
    open: () => openEmbedded(dataDir),
    drop: async () => undefined,
  }),
  PostgreSQL: async (dataDir) => {
    const { url, drop } = await createPostgresDatabase()
    return { env: { DATA_DIR: dataDir, DATABASE_URL: url }, open: () => openPostgres(url), drop }
  },
}

const allRows = async (database: Database, tables: readonly string[]): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {}
  for (const table of tables)
    found[table] = (await database.rows(`SELECT * FROM ${table}`))
      .map((row) => JSON.stringify(row, Object.keys(row).toSorted()))
      .toSorted()
  return found
}

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`a backup of ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let file: string
    let env: Env
    let database: Database
    let close: () => Promise<void>
    let client: MerchantClient
    let rowsTaken = 0
    const key = newSecretKey()
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-backup-'))
      file = join(folder, 'taken.backup')
      ;({ database, env, close } = await openPlace(folder))
      client = await openMerchantClient(database)
      await writeSecretKeys(env['DATA_DIR'] ?? '', [key])
      await adoptSecretKeys(database, [key])
    })
    after(async () => {
      await close()
      await rm(folder, { recursive: true, force: true })
    })

    test('is written beside the running server, for its owner alone, without the secret key, and overwrites nothing', async () => {
      for (let made = 0; made < 3; made += 1) await client.createPaid({ amount: 100 + made, subject: '抹茶 "x"\n' })
      const { id } = await client.createPaid({ amount: 1980 })
      await client.refund(id, { refundId: 'r1', amount: 980 })
      await client.create()
      const { code, printed, errors } = await runCommand(['backup', file, '--json'], env)
      assert.deepEqual([code, errors], [0, []])
      rowsTaken = Number((JSON.parse(printed[0] ?? '') as Record<string, unknown>)['rows'])
      assert.ok(rowsTaken > 30)
      assert.equal((await stat(file)).mode & 0o777, 0o600)
      assert.equal((await readFile(file)).includes(key), false)
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.endsWith('.part')),
        [],
      )
      // By its name alone: of the folder in which npm was called, not of the project's.
      const again = await runCommand(['backup', basename(file)], { ...env, INIT_CWD: folder })
      assert.deepEqual([again.code, again.printed], [2, []])
      assert.match(again.errors.join(), /is there already, and no backup is overwritten/)
      const nowhere = await runCommand(['backup', join(folder, 'no', 'such', 'x')], env)
      assert.equal(nowhere.code, 2)
    })

    for (const [target, openEmpty] of Object.entries(EMPTY_PLACES))
      test(`is restored into an empty ${target}, row by row, once, and says that it was`, async () => {
        const other = join(folder, `other-${target}`)
        await mkdir(other)
        const place = await openEmpty(other)
        await cp(join(env['DATA_DIR'] ?? '', SECRET_KEY_FILE), join(other, SECRET_KEY_FILE))
        const { code, printed, errors } = await runCommand(['restore', file, '--json'], place.env)
        assert.deepEqual([code, errors], [0, []])
        const { rows, lacksKey } = JSON.parse(printed[0] ?? '') as Record<string, unknown>
        assert.deepEqual([rows, lacksKey], [rowsTaken, false], 'counted as the backup has counted them')
        const restored = await place.open()
        const names = tablesOf(new DatabaseSync(file, { readOnly: true }))
          .map(({ name }) => name)
          .filter((name) => name !== 'migrations' && name !== 'restores')
        assert.deepEqual(await allRows(restored, names), await allRows(database, names))
        const mark = await restoreToRecover(restored)
        assert.ok(mark !== null && mark.takenAt <= mark.restoredAt)
        const second = await runCommand(['restore', file], place.env)
        assert.match(second.errors.join(), /^This database is not empty\. It has rows in merchants\./)
        await restored.close()
        await place.drop()
      })

    test('that is not whole, of a newer release, or none at all is refused by name, and leaves nothing behind', async () => {
      const place = await EMPTY_PLACES['SQLite']?.(join(folder, 'untouched'))
      if (place === undefined) assert.fail()
      const refused = async (change: (path: string) => Promise<unknown>, line: RegExp): Promise<void> => {
        const broken = join(folder, 'broken.backup')
        await cp(file, broken)
        await change(broken)
        const { code, errors } = await runCommand(['restore', broken], { ...place.env, SECRET_KEY: key })
        assert.equal(code, 2)
        assert.match(errors.join(), line)
      }
      const edit = (statement: string) => async (path: string) => {
        const edited = new DatabaseSync(path)
        edited.exec(statement)
        edited.close()
      }
      await refused((path) => truncate(path, 20_000), /cannot be read as a backup|is damaged/)
      await refused((path) => writeFile(path, 'not a database'), /cannot be read as a backup/)
      await refused((path) => writeFile(path, ''), /is no backup of Kaikei/)
      await refused(edit('DELETE FROM backup'), /is no backup of Kaikei, or was not written to its end/)
      await refused(edit('UPDATE ledger_lines SET amount_yen = amount_yen + 1'), /is damaged: the rows of ledger_lines/)
      await refused(edit("DELETE FROM checkouts WHERE status = 'open'"), /is damaged: the rows of checkouts/)
      await refused(edit('DROP TABLE card_questions'), /was changed after it was written: its HMAC is wrong/)
      await refused(
        edit("INSERT INTO migrations VALUES ('9999-later.sql', 0, '9.0.0'); UPDATE backup SET release = 'v9.0.0'"),
        /was written by v9\.0\.0, which is newer than this release \(9999-later\.sql\)/,
      )
      const flip = async (path: string): Promise<void> => {
        const bytes = await readFile(path)
        const at = bytes.indexOf('抹茶')
        bytes[at + 7] = (bytes[at + 7] ?? 0) ^ 1
        await writeFile(path, bytes)
      }
      await refused(flip, /is damaged: the rows of /)
      const missing = await runCommand(['restore', join(folder, 'none')], place.env)
      assert.match(missing.errors.join(), /^There is no file /)
      await assert.rejects(readdir(join(folder, 'untouched')))
    })

    test('is not restored beside another secret key, nor under a server that runs', async () => {
      const dataDir = join(folder, 'other-key')
      await mkdir(dataDir)
      await writeSecretKeys(dataDir, [newSecretKey()])
      const { errors } = await runCommand(['restore', file], { DATA_DIR: dataDir })
      assert.match(errors.join(), /^No secret key at hand is the one of this backup/)
      const busy = join(folder, 'busy')
      const running = await openEmbedded(busy)
      await running.claimServer('alone')
      assert.match(
        (await runCommand(['restore', file], { DATA_DIR: busy, SECRET_KEY: key })).errors.join(),
        /^A Kaikei server uses this database/,
      )
      await running.close()
    })
  })
