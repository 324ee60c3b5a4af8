import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '../../../proof/harness/run-command.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { startSandbox, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import { OPEN_SERVER_DATABASE } from '../../../proof/harness/server-databases.ts'
import { TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { adoptSecretKeys } from '../../store/engine/secret-key-check.ts'
import type { Database } from '../../store/engine/database.ts'
import { findKeyHolder } from '../../store/merchant/merchants.ts'
import { hashKey } from '../../store/merchant/keys.ts'

const SECRET_KEY = 's'.repeat(32)
const LIVE = ['--merchant', 'tea', '--mode', 'live'] as const

describe(
  'an account at Stripe, as the double has it, with the commands as an operator runs them',
  { concurrency: 1 },
  () => {
    let folder: string
    let sandbox: SandboxProcess
    let database: Database
    let env: Record<string, string>
    let close: () => Promise<void>
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kaikei-stripe-account-'))
      sandbox = await startSandbox()
      const place = await OPEN_SERVER_DATABASE.SQLite(folder)
      ;({ database, close } = place)
      env = { ...place.env, SECRET_KEY, SANDBOX_PORT: new URL(sandbox.origin).port, PORT: '3000', INIT_CWD: folder }
      await adoptSecretKeys(database, [SECRET_KEY])
      await saveMerchant(database, TEA_MERCHANT, 0)
    })
    after(async () => {
      await sandbox.stop()
      await close()
      await rm(folder, { recursive: true, force: true })
    })
    const setKey = async (key: string, ...more: string[]) => {
      await writeFile(join(folder, 'key'), key, { mode: 0o600 })
      const base = ['--api-base', `${sandbox.origin}/stripe`]
      const { code, errors } = await runCommand(
        ['acquirer', 'set', ...LIVE, '--kind', 'stripe', '--secret-file', 'key', ...base, ...more],
        env,
      )
      assert.deepEqual([code, errors], [0, []])
    }

    test('passes its check on this machine with the sandbox’s 3-D Secure server, and its live keys work', async () => {
      await setKey('sk_live_canary00000000')
      const made = await runCommand(['key', 'create', ...LIVE, '--access', 'full', '--json'], env)
      const { key } = JSON.parse(made.printed[0] ?? '') as { key: string }
      const checkedAt = async () => (await findKeyHolder(database, hashKey(key)))?.account?.checkedAt ?? null
      assert.equal(await checkedAt(), null)
      const passed = await runCommand(['acquirer', 'check', ...LIVE], env)
      assert.deepEqual([passed.code, passed.errors], [0, []], passed.printed.join('\n'))
      assert.match(passed.printed.join(), /^The live account of tea at Stripe passed its check/)
      assert.notEqual(await checkedAt(), null)
    })

    test('whose key lacks a permission does not pass, and the line names it and the mend', async () => {
      await setKey('rk_live_no_refunds_canary00000000')
      const { code, printed } = await runCommand(['acquirer', 'check', ...LIVE], env)
      assert.equal(code, 1)
      assert.deepEqual(printed.length, 1, printed.join('\n'))
      assert.match(printed[0] ?? '', /lacks the permission Refunds: Write\. Mend: add it to the restricted key/)
      assert.doesNotMatch(printed.join(), /canary/)
    })

    test('cannot take real cards with the sandbox’s 3-D Secure server where the world reaches us', async () => {
      await setKey('sk_live_canary00000000')
      const reached = { ...env, PUBLIC_BASE: 'https://pay.example.com' }
      const { code, printed } = await runCommand(['acquirer', 'check', ...LIVE], reached)
      assert.equal(code, 1)
      assert.match(printed.join(), /^the sandbox authenticates no real cards\. Mend: set THREE_DS_API_URL/)
    })
  },
)
