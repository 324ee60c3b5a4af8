import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '../../../proof/harness/run-command.ts'
import { saveMerchant } from '../../../proof/harness/save-records.ts'
import { startSandbox, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import { OPEN_SERVER_DATABASE } from '../../../proof/harness/server-databases.ts'
import { BOOKS_MERCHANT, TEA_MERCHANT } from '../../../proof/harness/test-merchants.ts'
import { adoptSecretKeys } from '../../store/engine/secret-key-check.ts'
import type { Database } from '../../store/engine/database.ts'
import { findKeyHolder } from '../../store/merchant/callers.ts'
import { hashKey } from '../../store/merchant/keys.ts'

const SECRET_KEY = '0123456789abcdef'.repeat(2)
const LIVE = ['--merchant', 'tea', '--mode', 'live'] as const
const BOOKS_LIVE = ['--merchant', 'books', '--mode', 'live'] as const

describe(
  'an account at Stripe or Adyen, as the doubles have them, with the commands as an operator runs them',
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
      await saveMerchant(database, BOOKS_MERCHANT, 0)
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

    test('that Stripe does not take is told what is wrong and how to mend it, and says no word of the key', async () => {
      for (const [key, words] of [
        ['rk_live_no_balance_canary', /lacks the permission Balance: Read \(rak_balance_read\)/],
        ['rk_live_no_payment_intents_canary', /PaymentIntents: Write \(rak_payment_intent_write\)/],
        ['rk_live_no_payment_methods_canary', /PaymentMethods: Write \(rak_payment_method_write\)/],
        [
          'rk_live_no_refunds_canary',
          /Charges and Refunds: Write \(rak_charge_write\)\. Mend: add it to the restricted key/,
        ],
        ['rk_live_no_charges_canary', /Charges and Refunds: Read \(rak_charge_read\)/],
        ['rk_live_revoked_canary', /^Stripe does not accept the key\. Mend: it may be revoked/],
        [
          'rk_live_no_raw_card_data_canary',
          /takes no card numbers.*Mend: ask Stripe’s support for access to the raw card/,
        ],
      ] as const) {
        await setKey(key)
        const { code, printed } = await runCommand(['acquirer', 'check', ...LIVE], env)
        assert.deepEqual([code, printed.length], [1, 1], printed.join('\n'))
        assert.match(printed.join(), words)
        assert.doesNotMatch(printed.join(), /canary/)
      }
    })

    test('that Adyen does not take is told which key, account or role is wrong, and where to mend it', async () => {
      const hmacKey = 'CA'.repeat(32)
      const account = { merchantAccount: 'Tea_live', apiKey: 'canary_key', reportKey: 'canary_report' }
      const opened = { ...account, webhookUrl: null, hmacKey }
      await fetch(`${sandbox.origin}/adyen/control/accounts`, { method: 'POST', body: JSON.stringify(opened) })
      for (const [apiKey, merchantAccount, words] of [
        ['canary_other', 'Tea_live', /^Adyen does not accept the API key in live mode\. Mend: /],
        ['canary_key', 'Other', /^Adyen does not know the merchant account.*Mend: Compare merchantAccount/],
        ['canary_key_no_pci', 'Tea_live', /may not send payments with card numbers.*"API PCI Payments role"/],
        ['canary_key_no_checkout', 'Tea_live', /may not send payments.*"Checkout webservice role"/],
        ['canary_key_no_modifications', 'Tea_live', /may not capture.*"Merchant PAL Webservice role"/],
        ['canary_key', 'Tea_live', /^No notification of Adyen has arrived.*\/acquirer\/adyen\/books\/live/],
      ] as const) {
        await writeFile(
          join(folder, 'key'),
          JSON.stringify({ apiKey, merchantAccount, hmacKey, reportApiKey: 'canary_report' }),
          { mode: 0o600 },
        )
        const place = ['--kind', 'adyen', '--api-base', `${sandbox.origin}/adyen`]
        assert.equal(
          (await runCommand(['acquirer', 'set', ...BOOKS_LIVE, ...place, '--secret-file', 'key'], env)).code,
          0,
        )
        const { code, printed } = await runCommand(['acquirer', 'check', ...BOOKS_LIVE], env)
        assert.equal(code, 1)
        assert.match(printed[0] ?? '', words)
        assert.doesNotMatch(printed.join(), /canary|CACACA/)
      }
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
