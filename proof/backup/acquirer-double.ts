/** Doubles of real acquirers for the backup proof: an account of the demo shop in the database, behind a relay that can be silent. */
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { DAY_MS, SECOND_MS } from '#contract/jst.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import type { SandboxProcess } from '../harness/sandbox-process.ts'
import { runCommand } from '../harness/run-command.ts'
import { startRelay } from '../programs/relay.ts'

export const DOUBLES = ['Stripe', 'Adyen'] as const
export type DoubleName = (typeof DOUBLES)[number]

export interface AcquirerDouble {
  /** Opens the account at the acquirer and sets it for the demo shop, beside its running server. */
  setUp(env: Readonly<Record<string, string>>, port: number): Promise<void>
  /** What it has charged for an order, by its own record. */
  chargedYen(orderCode: string): Promise<number>
  /** Cuts every connection that is about this payment from now on, as long as the acquirer exists. */
  neverAnswerAbout(reference: string): void
  /** How often it was asked about that payment, and said nothing. */
  silences(): number
  /** Closes a settlement report and tells of it. Where the acquirer lists at once, nothing. */
  settle(database: Database): Promise<void>
  stop(): Promise<void>
}

const LISTED_MS = 30 * DAY_MS

/** Whether charges or refunds are asked for before those that the acquirer lists. Disputes are listed by when they were opened. */
const isTooOld = (path: string): boolean => {
  const [, seconds] = /\/(?:charges|refunds)\?.*created(?:\[|%5B)gte(?:\]|%5D)=(\d+)/i.exec(path) ?? []
  return seconds !== undefined && Number(seconds) * SECOND_MS < systemClock.now() - LISTED_MS
}

const Order = Type.Object({ chargedYen: Type.Integer() })

const ADYEN_ACCOUNT = {
  merchantAccount: 'KaikeiTEST',
  apiKey: 'test_key_1',
  reportKey: 'report_key_1',
  hmacKey: randomBytes(32).toString('hex').toUpperCase(),
}

const credentialsOf: Readonly<Record<DoubleName, string>> = {
  Stripe: 'rk_test_backup12345678',
  Adyen: JSON.stringify({
    apiKey: ADYEN_ACCOUNT.apiKey,
    merchantAccount: ADYEN_ACCOUNT.merchantAccount,
    hmacKey: ADYEN_ACCOUNT.hmacKey,
    reportApiKey: ADYEN_ACCOUNT.reportKey,
  }),
}

/** As long as a server keeps the account that it has read. */
const ACCOUNT_KEPT_MS = 1500

export const openAcquirerDouble = async (name: DoubleName, sandbox: SandboxProcess): Promise<AcquirerDouble> => {
  const kind = name.toLowerCase()
  const { port: sandboxPort, host } = new URL(sandbox.origin)
  const relay = await startRelay(() => ({ port: Number(sandboxPort), host }))
  const origin = `http://127.0.0.1:${relay.port}`
  let unanswered: string | null = null
  let silences = 0
  relay.change = (path, answer) => {
    const isSilent = unanswered !== null && path.includes(`/${unanswered}`)
    if (isSilent) silences += 1
    return isSilent || isTooOld(path) ? null : answer
  }
  const control = async (call: string, body: object): Promise<void> => {
    const { status } = await fetch(`${sandbox.origin}/${kind}/control/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (status !== 200) throw new Error(`the control ${call} of the double of ${name} answered ${status}`)
  }
  const { merchantAccount } = ADYEN_ACCOUNT
  return {
    setUp: async (env, port) => {
      const webhookUrl = `http://localhost:${port}/acquirer/adyen/demo/test`
      if (name === 'Adyen') await control('accounts', { ...ADYEN_ACCOUNT, webhookUrl })
      const secrets = join(env['DATA_DIR'] ?? '.', 'acquirer.secret')
      await writeFile(secrets, credentialsOf[name], { mode: 0o600 })
      const account = ['--merchant', 'demo', '--mode', 'test', '--kind', kind, '--secret-file', secrets]
      const { code, errors } = await runCommand(['acquirer', 'set', ...account, '--api-base', `${origin}/${kind}`], env)
      await rm(secrets)
      if (code !== 0) throw new Error(`acquirer set: ${errors.join(' ')}`)
      await systemClock.sleep(ACCOUNT_KEPT_MS)
    },
    chargedYen: async (orderCode) => {
      const order: unknown = await (await fetch(`${sandbox.origin}/${kind}/control/orders/${orderCode}`)).json()
      if (!Check(Order, order)) throw new Error(`the record of the double of ${name} cannot be read`)
      return order.chargedYen
    },
    neverAnswerAbout: (reference) => {
      unanswered = reference
    },
    silences: () => silences,
    settle: async (database) => {
      if (name !== 'Adyen') return
      await control('reports', { merchantAccount })
      await control('webhooks/deliver', { merchantAccount })
      // The double names its own address, and the account is at the relay's.
      const moved = 'UPDATE acquirer_notifications SET report_address = replace(report_address, $1, $2)'
      await database.rows(moved, sandbox.origin, origin)
    },
    stop: relay.stop,
  }
}
