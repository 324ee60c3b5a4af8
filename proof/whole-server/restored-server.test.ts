import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../server/store/engine/database.ts'
import { readMigrations } from '../../server/store/engine/migrate.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { restoreWrite, restoreToRecover } from '../../server/store/backup/restore-marker.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { createPostgresDatabase } from '../harness/databases.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { freePort, spawnServer } from '../harness/server-process.ts'

const markRestored = async (database: Database): Promise<void> => {
  await database.migrate(await readMigrations(), 0)
  await database.writeAll([restoreWrite({ restoredAt: 2, takenAt: 1 })])
}

describe('processes on a database that was restored from a backup', { concurrency: 1 }, () => {
  let folder: string
  let acquirer: SandboxProcess
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kaikei-restored-'))
    acquirer = await startSandbox()
  })
  after(async () => {
    await acquirer.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('a server does not listen while the acquirer is silent, and settles before it does', async () => {
    const dataDir = join(folder, 'server')
    const database = await openEmbedded(dataDir)
    await markRestored(database)
    const port = String(await freePort())
    const silent = spawnServer({ PORT: port, DATA_DIR: dataDir, SANDBOX_PORT: String(await freePort()) })
    assert.equal((await silent.ended).code, 1)
    assert.match(silent.stderrLines().join(), /restored from a backup, and no payment is taken before it was compared/)
    assert.notEqual(await restoreToRecover(database), null)

    const server = spawnServer({ PORT: port, DATA_DIR: dataDir, SANDBOX_PORT: new URL(acquirer.origin).port })
    await server.ready()
    assert.match(server.stdoutLines().join('\n'), /^restored: 0 charges and 0 refunds that the backup did not hold/m)
    assert.equal(await restoreToRecover(database), null)
    server.child.kill('SIGTERM')
    await server.ended
    await database.close()
  })

  test('of several servers that start together one recovers it alone, and then all of them take payments', async () => {
    const place = await createPostgresDatabase()
    const database = await openPostgres(place.url)
    await markRestored(database)
    const keys = join(folder, 'card-hold-keys')
    await writeFile(keys, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
    const start = async (name: string) =>
      spawnServer({
        PORT: String(await freePort()),
        DATA_DIR: join(folder, name),
        SANDBOX_URL: acquirer.origin,
        DATABASE_URL: place.url,
        SECRET_KEY: '0123456789abcdef'.repeat(2),
        CARD_HOLD_URL: 'redis://127.0.0.1:1',
        CARD_HOLD_KEYS_FILE: keys,
      })
    const servers = [await start('one of several'), await start('another')]
    for (const server of servers) await server.ready()
    const recoveries = servers.flatMap((server) => server.stdoutLines().filter((line) => line.startsWith('restored:')))
    assert.equal(recoveries.length, 1)
    assert.equal(await restoreToRecover(database), null)
    for (const server of servers) server.child.kill('SIGTERM')
    for (const server of servers) assert.equal((await server.ended).code, 0)
    await database.close()
    await place.drop()
  })

  for (const [name, more] of [
    ['server', {}],
    ['worker', { WORKER_ONLY: '1' }],
  ] as const)
    test(`a ${name} that runs on ends by itself when its database is restored beneath it`, async () => {
      const place = await createPostgresDatabase()
      const database = await openPostgres(place.url)
      await database.migrate(await readMigrations(), 0)
      const running = spawnServer({
        PORT: String(await freePort()),
        DATA_DIR: join(folder, name),
        SANDBOX_PORT: new URL(acquirer.origin).port,
        DATABASE_URL: place.url,
        ...more,
      })
      await running.ready()
      await markRestored(database)
      assert.equal((await running.ended).code, 1)
      assert.match(running.stderrLines().join(), /restored from a backup and not yet compared with the acquirer/)
      await database.close()
      await place.drop()
    })
})
