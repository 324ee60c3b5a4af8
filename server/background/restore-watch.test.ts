import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { OPEN_SERVER_DATABASE, type OpenServerDatabase } from '../../proof/harness/server-databases.ts'
import { readConfig, type Config } from '../config/config.ts'
import { newSecretKey, writeSecretKeys } from '../config/secret-key.ts'
import { prepareDatabase } from '../store/prepare-database.ts'
import { markRecovered, restoreWrite } from '../store/backup/restore-marker.ts'
import { adoptSecretKeys } from '../store/engine/secret-key-check.ts'
import { lookForProblem } from './restore-watch.ts'

const openPlace = async (t: TestContext, engine: keyof typeof OPEN_SERVER_DATABASE): Promise<OpenServerDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-restore-watch-'))
  const place = await OPEN_SERVER_DATABASE[engine](folder)
  t.after(async () => {
    await place.close()
    await rm(folder, { recursive: true, force: true })
  })
  return place
}

const configOf = (env: Record<string, string>): Config => {
  const reading = readConfig(env)
  return reading.ok ? reading.config : assert.fail(reading.problem)
}

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  test(`a process ends when its database is restored beneath it, and when that is used with another key (${engine})`, async (t) => {
    const { database } = await openPlace(t, engine)
    const [first, second] = [newSecretKey(), newSecretKey()]
    await adoptSecretKeys(database, [first])
    const watched = { database, secretKeys: [first] }
    assert.equal(await lookForProblem(watched), null)

    await database.writeAll([restoreWrite({ restoredAt: 2, takenAt: 1 })])
    assert.match((await lookForProblem(watched)) ?? '', /^This database was restored from a backup/)
    await markRecovered(database, 3)
    assert.equal(await lookForProblem(watched), null)

    await adoptSecretKeys(database, [second, first])
    assert.match((await lookForProblem(watched)) ?? '', /is used with another secret key since/)
    assert.equal(await lookForProblem({ database, secretKeys: [second, first] }), null)
    // Without one it signs nothing.
    assert.equal(await lookForProblem({ database, secretKeys: [] }), null)
    const isAway = { ...database, rows: () => Promise.reject(new Error('away')) }
    assert.equal(await lookForProblem({ database: isAway, secretKeys: [first] }), null)
  })

test('a worker that starts after a rotation and before its server signs with the key that the server uses', async (t) => {
  const { database, env } = await openPlace(t, 'PostgreSQL')
  const [first, second] = [newSecretKey(), newSecretKey()]
  await adoptSecretKeys(database, [first])
  await writeSecretKeys(env['DATA_DIR'] ?? '', [second, first])
  const prepared = await prepareDatabase(configOf({ ...env, WORKER_ONLY: '1' }), {
    onLost: () => undefined,
    say: () => undefined,
  })
  if ('problem' in prepared) assert.fail(prepared.problem)
  assert.deepEqual(prepared.secretKeys, [first, second])
  await prepared.database.close()
})
