import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { OPEN_SERVER_DATABASE, type OpenServerDatabase } from '../../proof/harness/server-databases.ts'
import { runCommand } from '../../proof/harness/run-command.ts'
import { startSandbox, type SandboxProcess } from '../../proof/harness/sandbox-process.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import { restoreWrite, restoreToRecover } from '../store/backup/restore-marker.ts'

const SINCE = '2026-11-16T09:00:00+09:00'

for (const [engine, openPlace] of Object.entries(OPEN_SERVER_DATABASE))
  describe(`recover after data was lost, on ${engine}`, { concurrency: 1 }, () => {
    let folder: string
    let place: OpenServerDatabase
    let sandbox: SandboxProcess
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-recover-command-'))
      place = await openPlace(folder)
      sandbox = await startSandbox()
    })
    after(async () => {
      await sandbox.stop()
      await place.close()
      await rm(folder, { recursive: true, force: true })
    })
    const recover = (port: string, ...more: string[]) =>
      runCommand(['recover', ...more], { ...place.env, SANDBOX_PORT: port })

    test('marks the database as restored while the acquirer is silent, so that no server takes a payment', async () => {
      const { code, errors } = await recover(String(await freePort()), '--since', SINCE)
      assert.equal(code, 2)
      assert.match(errors.at(-1) ?? '', /no payment is taken before it was compared/)
      assert.equal((await restoreToRecover(place.database))?.takenAt, Date.parse(SINCE))
    })

    test('a day is taken from its first moment on in Japan: what moved on it is not left out', async () => {
      await recover(String(await freePort()), '--since', '2026-11-15')
      const { takenAt } = (await restoreToRecover(place.database)) ?? assert.fail()
      assert.equal(takenAt, Date.parse('2026-11-15T00:00:00+09:00'))
    })

    test('recovers from the earliest restore on when the acquirer answers, and takes the mark away', async () => {
      await place.database.writeAll([restoreWrite({ restoredAt: 5, takenAt: 4 })])
      const { code, printed, errors } = await recover(new URL(sandbox.origin).port)
      assert.deepEqual([code, errors], [0, []])
      assert.match(printed.at(-1) ?? '', /^restored: 0 charges and 0 refunds/)
      assert.equal(await restoreToRecover(place.database), null)
    })

    test('is refused beside a running server, whose payments under way it would stop, and without an acquirer', async () => {
      const none = await runCommand(['recover'], { ...place.env, SANDBOX: 'off' })
      assert.match(none.errors.join(), /No acquirer is configured/)
      assert.equal((await place.database.claimServer('alone')).isOurs, true)
      const { code, errors } = await recover(new URL(sandbox.origin).port)
      assert.equal(code, 2)
      assert.match(errors.join(), /A Kaikei server uses this database.*Stop it first/)
      assert.equal(await restoreToRecover(place.database), null)
    })

    test('runs under its earlier name too, and says its new one', async () => {
      const earlier = await runCommand(['reconcile', 'settle'], { ...place.env, SANDBOX: 'off' })
      assert.deepEqual(earlier, {
        code: 2,
        printed: [],
        errors: [
          'reconcile settle is now called recover; the old name still works.',
          'No acquirer is configured that could be asked.',
        ],
      })
      assert.deepEqual(await runCommand(['help', 'reconcile', 'settle'], {}), await runCommand(['help', 'recover'], {}))
    })

    test('takes no time for a time', async () => {
      assert.equal((await recover('3999', '--since', 'yesterday')).code, 2)
    })
  })
