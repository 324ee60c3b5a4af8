import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../config/readers.ts'
import { createSealing } from '../config/sealed.ts'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'
import { saveTestAccount } from '../../proof/harness/test-accounts.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { findAccount, openSealed, saveAccount } from './merchant/acquirer-accounts.ts'
import { adoptSecretKeys } from './engine/secret-key-check.ts'
import { readMigrations } from './engine/migrate.ts'
import { openPostgres } from './engine/postgres.ts'
import { prepareDatabase } from './prepare-database.ts'
import { openEmbedded } from './engine/sqlite.ts'

/** Preparing the database: what a start is refused with. main.test.ts shows how the process says so. */

const FIRST = 'first-key'.repeat(4)
const OTHER = 'other-key'.repeat(4)

const EVENTS = { onLost: () => undefined, say: () => undefined }

describe('preparing the database at start', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-prepare-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  /** What a start with these variables is refused with; null: it was not, and has ended again. */
  const refusalOf = async (env: Environment): Promise<string | null> => {
    const reading = readConfig(env)
    if (!reading.ok) return reading.problem
    const prepared = await prepareDatabase(reading.config, EVENTS)
    if ('problem' in prepared) return prepared.problem
    await prepared.database.close()
    return null
  }

  test('a server with another secret key than its database knows is refused, and says how to mend that', async () => {
    const env = { DATA_DIR: join(folder, 'secret-key') }
    const withKey = (key: string): Promise<string | null> => refusalOf({ ...env, SECRET_KEY: key })
    assert.equal(await withKey(FIRST), null)
    const isOther = /^The secret key in SECRET_KEY is not the one .* Set SECRET_KEY to that one/
    assert.match((await withKey(OTHER)) ?? '', isOther)
    const isMissing = /^There is no secret key, and this database was set up with one\. Set SECRET_KEY/
    assert.match((await refusalOf(env)) ?? '', isMissing)
    assert.equal(await refusalOf({ ...env, SECRET_KEY: OTHER, SECRET_KEY_PREVIOUS: FIRST }), null)
    assert.equal(await withKey(OTHER), null)
    assert.match((await withKey(FIRST)) ?? '', isOther)
  })

  test('the start after a rotation seals the accounts at acquirers anew, so that the earlier key can be retired', async () => {
    const env = { DATA_DIR: join(folder, 'accounts') }
    const startWith = async (keys: Environment) => {
      const reading = readConfig({ ...env, ...keys })
      if (!reading.ok) assert.fail(reading.problem)
      const prepared = await prepareDatabase(reading.config, EVENTS)
      return 'problem' in prepared ? assert.fail(prepared.problem) : prepared.database
    }
    const ref = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
    const first = await startWith({ SECRET_KEY: FIRST })
    await saveMerchant(first, TEA_MERCHANT, 0)
    const account = { ...ref, kind: 'stripe', apiBase: null, threeDSMerchantId: null, threeDSToken: null } as const
    await saveAccount(first, createSealing([FIRST]), { ...account, credentials: 'secret', setAt: 1 })
    await first.close()
    await (await startWith({ SECRET_KEY: OTHER, SECRET_KEY_PREVIOUS: FIRST })).close()
    const later = await startWith({ SECRET_KEY: OTHER })
    const stored = (await findAccount(later, ref)) ?? assert.fail()
    assert.equal(openSealed(createSealing([OTHER]), stored)?.credentials, 'secret')
    await later.close()
  })

  test('a worker without the secret key is refused where shops have accounts at acquirers, which it could not ask', async () => {
    const place = await createPostgresDatabase()
    const env = { DATA_DIR: join(folder, 'server'), DATABASE_URL: place.url, SECRET_KEY: FIRST }
    const worker = { DATA_DIR: join(folder, 'worker'), DATABASE_URL: place.url, WORKER_ONLY: '1' }
    assert.equal(await refusalOf(env), null)
    assert.equal(await refusalOf(worker), null, 'without accounts it needs none')
    const database = await openPostgres(place.url)
    await saveMerchant(database, TEA_MERCHANT, 0)
    await saveTestAccount(database, { merchantId: TEA_MERCHANT.id, mode: 'live' })
    await database.close()
    assert.match(
      (await refusalOf(worker)) ?? '',
      /^There is no secret key, and shops have accounts .* Give it SECRET_KEY/,
    )
    assert.equal(await refusalOf({ ...worker, SECRET_KEY: FIRST }), null)
    await place.drop()
  })

  test('servers that start together on an empty database take one secret key', async () => {
    const place = await createPostgresDatabase()
    const databases = [await openPostgres(place.url), await openPostgres(place.url)]
    await databases[0]?.migrate(await readMigrations(), 0)
    const adopted = await Promise.all(
      databases.flatMap((database) => [FIRST, OTHER].map((key) => adoptSecretKeys(database, [key]))),
    )
    assert.equal(adopted.filter(Boolean).length, 2, 'both servers of one key, and none of the other')
    assert.equal((await databases[0]?.rows('SELECT digest FROM secret_key_check'))?.length, 1)
    for (const database of databases) await database.close()
    await place.drop()
  })

  test('a database that a newer release has set up is refused by a server and by a worker, on both engines', async () => {
    const place = await createPostgresDatabase()
    const embedded = { DATA_DIR: join(folder, 'newer') }
    const newer = { name: '9999-newer.sql', text: 'CREATE TABLE newer (id TEXT)', oldestBeside: '999.0.0' }
    for (const database of [await openEmbedded(embedded.DATA_DIR), await openPostgres(place.url)]) {
      await database.migrate([...(await readMigrations()), newer], 0)
      await database.close()
    }
    const postgres = { ...embedded, DATABASE_URL: place.url }
    for (const env of [embedded, postgres, { ...postgres, WORKER_ONLY: '1' }])
      assert.match(
        (await refusalOf(env)) ?? '',
        /^The database .* holds what this release does not know \(9999-newer\.sql from 999\.0\.0 on\): .* Start that one/,
      )
    await place.drop()
  })

  const unusable: readonly (readonly [string, Environment, RegExp])[] = [
    [
      'a database that refuses',
      { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/x' },
      /^DATABASE_URL: no connection to 127\.0\.0\.1:1\/x /,
    ],
    [
      'a database address that is not valid',
      { DATABASE_URL: 'kaikei' },
      /^DATABASE_URL cannot be read: set it to postgresql:/,
    ],
    [
      'a data folder below a file',
      { DATA_DIR: join(import.meta.filename, 'data') },
      /^DATA_DIR is ".*", where nothing can be written/,
    ],
  ]
  for (const [name, env, line] of unusable)
    test(`${name} is refused with a line that names the variable and tells no password`, async () => {
      const refusal = (await refusalOf({ DATA_DIR: join(folder, 'unusable'), ...env })) ?? ''
      assert.match(refusal, line)
      assert.doesNotMatch(refusal, /secret/)
    })
})
