import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { createPostgresDatabase } from '../../proof/harness/databases.ts'
import { saveMerchant } from '../../proof/harness/save-records.ts'
import { TEA_MERCHANT } from '../../proof/harness/test-merchants.ts'
import { readConfig } from '../config/config.ts'
import type { Environment } from '../config/readers.ts'
import { createSealing } from '../config/sealed.ts'
import { markRecovered, restoreWrite } from './backup/restore-marker.ts'
import type { Database } from './engine/database.ts'
import { readTables } from './engine/migrate.ts'
import { openPostgres } from './engine/postgres.ts'
import { findAccount, openSealed, saveAccount } from './merchant/acquirer-accounts.ts'
import { prepareDatabase, staleProblem } from './prepare-database.ts'

const [FIRST, SECOND] = ['first-key'.repeat(4), 'second-key'.repeat(4)]

describe('several servers that start on one database', { concurrency: 1 }, () => {
  let folder: string
  let place: Awaited<ReturnType<typeof createPostgresDatabase>>
  const opened: Database[] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-several-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    place = await createPostgresDatabase()
  })
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close()
    await place.drop()
  })

  const configOf = (more: Environment = {}) => {
    const shared = { CARD_HOLD_URL: 'redis://127.0.0.1:6379', CARD_HOLD_KEYS_FILE: join(folder, 'keys') }
    const reading = readConfig({ DATA_DIR: folder, DATABASE_URL: place.url, SECRET_KEY: FIRST, ...shared, ...more })
    return reading.ok ? reading.config : assert.fail(reading.problem)
  }
  const events = { onLost: () => undefined, say: () => undefined }
  const prepare = async (more: Environment = {}, say: (line: string) => void = events.say) => {
    const prepared = await prepareDatabase(configOf(more), { ...events, say })
    if (!('problem' in prepared)) opened.push(prepared.database)
    return prepared
  }
  const start = async (more: Environment = {}, say?: (line: string) => void) => {
    const prepared = await prepare(more, say)
    return 'problem' in prepared ? assert.fail(prepared.problem) : prepared
  }
  const otherSession = async (): Promise<Database> => {
    const database = await openPostgres(place.url)
    opened.push(database)
    return database
  }

  test('on an empty one all of them find its tables and its key, which one has made', async () => {
    const servers = await Promise.all([start(), start(), start()])
    for (const { database, isAlone, secretKeys } of servers) {
      assert.deepEqual(await readTables(database), { are: 'ours' })
      assert.deepEqual([isAlone, secretKeys], [false, [FIRST]])
    }
    const digests = await (await otherSession()).rows('SELECT digest FROM secret_key_check')
    assert.equal(digests.length, 1)
  })

  test('with different secret keys the one that comes second is refused', async () => {
    const prepared = await Promise.all([prepare(), prepare({ SECRET_KEY: SECOND })])
    const problems = prepared.flatMap((each) => ('problem' in each ? [each.problem] : []))
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', /The secret key in SECRET_KEY is not the one that this database was set up with/)
  })

  test('on a restored one a single server is alone until it has compared it, and the others wait for that and say so', async () => {
    const database = await otherSession()
    const first = await start()
    await first.database.close()
    opened.splice(opened.indexOf(first.database), 1)
    await database.writeAll([restoreWrite({ restoredAt: 2, takenAt: 1 })])
    const said = Promise.withResolvers<string>()
    const two = [start({}, said.resolve), start({}, said.resolve)]
    const recovering = await Promise.race(two)
    assert.equal(recovering.isAlone, true)
    assert.match(await said.promise, /^waiting: another server compares this database/)
    // A server that holds cards in its memory comes between at no time.
    assert.equal((await database.claimServer('alone')).isOurs, false)
    await markRecovered(database, 3)
    assert.equal((await recovering.database.claimServer('shared')).isOurs, true)
    const prepared = await Promise.all(two)
    assert.equal(prepared.filter(({ isAlone }) => isAlone).length, 1)
    assert.equal((await database.claimServer('alone')).isOurs, false)
    assert.equal((await database.claimServer('shared')).isOurs, true)
  })

  test('where the server that compares it dies, the next one does so', async () => {
    await start().then(({ database }) => database.writeAll([restoreWrite({ restoredAt: 2, takenAt: 1 })]))
    for (const database of opened.splice(0)) await database.close()
    const recovering = await start()
    const said = Promise.withResolvers<string>()
    const waiting = start({}, said.resolve)
    await said.promise
    opened.splice(opened.indexOf(recovering.database), 1)
    await recovering.database.close()
    assert.equal((await waiting).isAlone, true)
  })

  test('on a restored one beside servers that still run, a start is refused with their name', async () => {
    const { database } = await start()
    await database.writeAll([restoreWrite({ restoredAt: 2, takenAt: 1 })])
    // A running server looks every second, and ends.
    assert.match((await staleProblem(database, [FIRST])) ?? '', /restored from a backup/)
    const refused = await prepare()
    assert.ok('problem' in refused)
    assert.match(refused.problem, /other servers still run on it\. .* PostgreSQL session \d+/)
  })

  test('a running server ends where a newer release has changed the tables and does not allow it', async () => {
    const { database } = await start()
    const session = new pg.Client({ connectionString: place.url })
    await session.connect()
    const applied = (oldest: string) =>
      session.query('INSERT INTO migrations (name, applied_at, oldest_beside) VALUES ($1, 0, $2)', [oldest, oldest])
    await applied('1.0.0')
    assert.equal(await staleProblem(database, [FIRST]), null)
    await applied('999.0.0')
    assert.match((await staleProblem(database, [FIRST])) ?? '', /A newer release has changed the tables/)
    await session.end()
  })

  test('a secret key is rotated over a fleet: known to every server as an earlier one, then the current one, then alone', async () => {
    const [old, both, rotated] = [
      { SECRET_KEY: FIRST },
      { SECRET_KEY: FIRST, SECRET_KEY_PREVIOUS: SECOND },
      { SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST },
    ]
    const before = await start(old)
    await saveMerchant(before.database, TEA_MERCHANT, 0)
    const ref = { merchantId: TEA_MERCHANT.id, mode: 'live' } as const
    const account = { ...ref, kind: 'stripe', apiBase: null, threeDSMerchantId: null, threeDSToken: null } as const
    await saveAccount(before.database, createSealing([FIRST]), { ...account, credentials: 'secret', setAt: 1 })
    const opensWith = async (keys: readonly string[]) =>
      openSealed(createSealing(keys), (await findAccount(before.database, ref)) ?? assert.fail())?.credentials

    const second = await start(both)
    assert.equal(await staleProblem(before.database, before.secretKeys), null)
    // Two at once make the new key the current one, and each opens what the other seals.
    const third = await Promise.all([start(rotated), start(rotated)])
    assert.equal(await staleProblem(second.database, second.secretKeys), null)
    assert.equal(await opensWith(second.secretKeys), 'secret')
    // One that knows the first key alone could open no account any more.
    assert.match((await staleProblem(before.database, before.secretKeys)) ?? '', /used with another secret key/)
    // One that was not changed yet starts again after a crash.
    const again = await start(both)
    for (const { database, secretKeys } of [...third, second, again]) {
      assert.equal(await staleProblem(database, secretKeys), null)
      assert.equal(await opensWith(secretKeys), 'secret')
    }
    await start(rotated)
    assert.equal(await opensWith([SECOND]), 'secret', 'the first key can be taken away')
    assert.equal((await start({ SECRET_KEY: SECOND })).isAlone, false)
  })
})
