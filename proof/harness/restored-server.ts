/** Restored server: a server that goes on after a backup was taken of it, and the same server as it is restored from that backup. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { readCheckout } from '../../server/operations/read-checkout.ts'
import { recoverIfRestored, type Recovery } from '../../server/operations/recovery/recover-after-restore.ts'
import { inquireIfDue } from '../../server/operations/resolve-doubt.ts'
import { readBackup, restoreInto } from '../../server/store/backup/restore.ts'
import { restoreToRecover } from '../../server/store/backup/restore-marker.ts'
import { openSqlite } from '../../server/store/engine/sqlite.ts'
import { openPostgresDatabase, type TestEngine } from './databases.ts'
import { openMerchantClient, type MerchantClient } from './merchant-client.ts'
import { OPEN_SERVER_DATABASE } from './server-databases.ts'
import { acquirerInMemory, type AcquirerInMemory } from './acquirer-in-memory.ts'
import { runCommand } from './run-command.ts'
import { TEA_MERCHANT } from './test-merchants.ts'

/** A recovery that found nothing to do. */
export const NOTHING: Recovery = {
  charges: 0,
  refunds: 0,
  inDoubt: 0,
  unanswered: [],
  held: 0,
  incomplete: [],
  left: [],
}

export interface Restored {
  readonly lost: MerchantClient
  readonly client: MerchantClient
  readonly gateway: AcquirerInMemory
  recover(): Promise<Recovery>
  /** The line that says why the recovery is not done. Fails where it is. */
  problem(): Promise<string>
}

export const restoredAfter = async (
  t: TestContext,
  { name }: TestEngine,
  before: (client: MerchantClient) => Promise<void>,
  afterwards: (client: MerchantClient, gateway: AcquirerInMemory) => Promise<void>,
): Promise<Restored> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-recover-'))
  const place = await OPEN_SERVER_DATABASE[name](folder)
  let now = 0
  const gateway = acquirerInMemory(() => now)
  const lost = await openMerchantClient(place.database, gateway)
  now = lost.clock.now()
  await before(lost)
  const file = join(folder, 'x.backup')
  const secretKey = '0123456789abcdef'.repeat(4)
  const taken = await runCommand(['backup', file], { ...place.env, SECRET_KEY: secretKey })
  assert.deepEqual(taken.errors, [])
  await afterwards(lost, gateway)
  const backup = await readBackup(file, { secretKeys: [secretKey], acceptsUnverified: false })
  if ('problem' in backup) assert.fail(backup.problem)
  const target =
    name === 'SQLite'
      ? { database: openSqlite(':memory:', null), close: async () => undefined }
      : await openPostgresDatabase()
  const result = await restoreInto(target.database, { ...backup, takenAt: now }, now)
  assert.ok('rows' in result, JSON.stringify(result))
  const client = await openMerchantClient(target.database, gateway)
  t.after(async () => {
    await target.close()
    await place.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    lost,
    client,
    gateway,
    recover: async () => {
      const recovered = await recoverIfRestored(client.server.deps)
      if (recovered === null || 'problem' in recovered) assert.fail(JSON.stringify(recovered))
      assert.equal(await restoreToRecover(target.database), null)
      return recovered
    },
    problem: async () => {
      const recovered = await recoverIfRestored(client.server.deps)
      if (recovered === null || !('problem' in recovered)) assert.fail(JSON.stringify(recovered))
      assert.notEqual(await restoreToRecover(target.database), null)
      return recovered.problem
    },
  }
}

/** The inquiry that is due about a checkout, to its end: a reader would wait for a second of a clock that does not wait. */
export const inquireAbout = async ({ server: { deps } }: MerchantClient, checkoutId: string): Promise<void> =>
  void (await inquireIfDue(deps, await readCheckout(deps, { merchantId: TEA_MERCHANT.id, checkoutId })))
