/** Credential run: an account's whole life by real commands and payments, after which its secrets are searched for everywhere. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MERCHANT_MODES, type MerchantMode } from '#contract/access.ts'
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import { MERCHANT_BASE } from '#contract/paths.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import { systemClock } from '../../server/dependencies.ts'
import { messageOf } from '../../server/log.ts'
import type { SandboxProcess } from '../harness/sandbox-process.ts'
import { runCommandLine, spawnServer, type EndedCommand } from '../harness/server-process.ts'
import { createCanarySupply, type CanarySupply } from './canary.ts'
import { collectOutputs, describeHit } from './collect-outputs.ts'
import { watchProcesses } from './processes.ts'
import { createScanner, type ServerOutput } from './scanner.ts'
import { MERCHANT_ACCOUNTS, startServerUnderScan, type ServerUnderScan } from './server-under-scan.ts'
import { readDataFolder, readFolder, textOutput } from './server-outputs.ts'
import { canaryShopper, merchantCall, type FlowContext } from './shopper-requests.ts'

const accountIn = (mode: MerchantMode): readonly string[] => ['--merchant', DEMO_LABEL, '--mode', mode]

/** Both accounts are set and checked; the published numbers of the doubles are paid with in test mode. */
const PAID_MODE = 'test'

/** Of the sandbox's table: charged; booked and answered 500; booked and never answered; refused; connection dropped. */
const NUMBERS = ['4100000000000100', '4100000000756008', '4100000000754003', '4100000000750001', '4100000000755000']

const NEVER_ANSWERED = '4100000000754003'

interface CredentialRun {
  readonly acquirer: SandboxProcess
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
  readonly kind: AcquirerKind
}

export interface CredentialResult {
  readonly commands: number
  readonly bytes: number
  readonly places: readonly string[]
  readonly hits: readonly string[]
  readonly unexpectedEndings: readonly string[]
}

interface Run {
  readonly scanned: ServerUnderScan
  readonly kind: AcquirerKind
  readonly acquirer: SandboxProcess
  readonly outputs: ServerOutput[]
  readonly unexpectedEndings: string[]
}

const controlAdyen = async ({ acquirer }: Run, path: string, body: object): Promise<void> => {
  const { ok } = await fetch(`${acquirer.origin}/adyen/control/${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!ok) throw new Error(`the double of Adyen did not take ${path}`)
}

/** Runs a command and keeps what it printed. `expected`: its exit codes. */
const command = async (
  { scanned, outputs, unexpectedEndings }: Run,
  args: readonly string[],
  expected: readonly number[] = [0],
): Promise<EndedCommand> => {
  const ended = await runCommandLine(args, scanned.env)
  outputs.push(textOutput('commands', `${ended.stdout}\n${ended.stderr}`))
  if (ended.code === null || !expected.includes(ended.code))
    unexpectedEndings.push(
      `kaikei ${args.slice(0, 2).join(' ')} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`,
    )
  return ended
}

const credentialsText = ({ scanned, kind }: Run, mode: MerchantMode, isRight: boolean): string => {
  const { stripeKey, stripeTestKey, revokedStripeKey, adyenKey, unknownAdyenKey, hmacKey, reportKey } =
    scanned.credentials
  if (kind === 'stripe') return isRight ? (mode === 'live' ? stripeKey : stripeTestKey) : revokedStripeKey
  const apiKey = isRight ? adyenKey : unknownAdyenKey
  return JSON.stringify({ apiKey, merchantAccount: MERCHANT_ACCOUNTS[mode], hmacKey, reportApiKey: reportKey })
}

const setCredentials = async (run: Run, mode: MerchantMode, isRight = true): Promise<void> => {
  const { scanned, kind, acquirer } = run
  const file = join(scanned.folder, 'secret')
  await writeFile(file, credentialsText(run, mode, isRight), { mode: 0o600 })
  const base = ['--api-base', `${acquirer.origin}/${kind}`]
  await command(run, ['acquirer', 'set', ...accountIn(mode), '--kind', kind, '--secret-file', file, ...base])
}

const deliverNotifications = async (run: Run): Promise<void> => {
  if (run.kind !== 'adyen') return
  for (const merchantAccount of Object.values(MERCHANT_ACCOUNTS))
    await controlAdyen(run, 'webhooks/deliver', { merchantAccount })
}

/** Adyen sends a notification for the first check; the second sees that it came. */
const passCheck = async (run: Run, mode: MerchantMode): Promise<void> => {
  if (run.kind === 'adyen') {
    await command(run, ['acquirer', 'check', ...accountIn(mode)], [0, 1])
    await deliverNotifications(run)
  }
  await command(run, ['acquirer', 'check', ...accountIn(mode)])
}

const payAll = async (context: FlowContext, canaries: CanarySupply): Promise<string[]> => {
  const orders = await Promise.all(
    NUMBERS.map(async (number) => {
      const shopper = canaryShopper(context, canaries.next(number))
      return { shopper, order: await shopper.prepareOrder() }
    }),
  )
  await Promise.all(orders.map(({ shopper, order }) => shopper.pay(order)))
  return orders.map(({ order }) => order.checkoutId)
}

/** Refused calls: a key that the acquirer does not take, at the check, at a payment and in doctor; a secret in place of a file. */
const beRefused = async (run: Run, context: FlowContext, canaries: CanarySupply): Promise<void> => {
  const shopper = canaryShopper(context, canaries.next(NUMBERS[0]))
  const order = await shopper.prepareOrder()
  await setCredentials(run, PAID_MODE, false)
  await command(run, ['acquirer', 'check', ...accountIn(PAID_MODE)], [1])
  // A running server uses the account for another second as it was.
  await systemClock.sleep(1500)
  const paid = await shopper.pay(order)
  if (paid !== 'nothing_charged') run.unexpectedEndings.push(`a payment with a wrong key: ${paid}`)
  await command(run, ['doctor'], [0, 1])
  await setCredentials(run, PAID_MODE)
  await passCheck(run, PAID_MODE)
}

/** What an operator runs beside a server. The backup is scanned as a file. */
const operate = async (run: Run): Promise<void> => {
  for (const args of [['acquirer', 'show'], ['reconcile'], ['doubts'], ['doctor'], ['changes']])
    await command(run, args, [0, 1, 2])
  await command(run, ['backup', join(run.scanned.temporaryDir, 'backup.kaikei')])
  await command(run, ['secret', 'rotate'], [0, 1, 2])
}

/** A dump as an operator makes it; null: there is no pg_dump here. */
const dumpPostgres = async (databaseUrl: string): Promise<ServerOutput | null> => {
  try {
    const { stdout } = await promisify(execFile)('pg_dump', [`--dbname=${databaseUrl}`], {
      maxBuffer: 512 * 1024 * 1024,
    })
    return textOutput('PostgreSQL dump', stdout)
  } catch (error) {
    return textOutput('PostgreSQL dump, which failed', messageOf(error))
  }
}

const readAsMerchant = async ({ client, merchantKey }: FlowContext): Promise<void> => {
  const headers = { authorization: `Bearer ${merchantKey}` }
  for (const path of ['/checkouts', '/refunds', '/events', '/settings', '/exports/movements.csv'])
    await client.send({ method: 'GET', path: MERCHANT_BASE + path, headers })
}

/** Killed while a payment is under way, started with another secret key, which is refused, and with its own again. */
const crash = async (run: Run, context: FlowContext, canaries: CanarySupply): Promise<void> => {
  const { scanned, outputs } = run
  const shopper = canaryShopper(context, canaries.next(NEVER_ANSWERED))
  const order = await shopper.prepareOrder()
  const paying = shopper.pay(order).catch(() => null)
  await systemClock.sleep(300)
  await scanned.server.kill('SIGKILL')
  await paying
  outputs.push(...(await readDataFolder('data folder after SIGKILL', scanned.dataDir)))
  const refused = spawnServer({ ...scanned.env, SECRET_KEY: 'another-key'.repeat(4) })
  await refused.ended
  outputs.push(textOutput('logs', [...refused.stdoutLines(), ...refused.stderrLines()].join('\n')))
  await scanned.server.start()
}

const liveThrough = async (run: Run, databaseUrl: string | null): Promise<void> => {
  const { kind, scanned, outputs } = run
  const canaries = createCanarySupply(NUMBERS.length + 2)
  await passCheck(run, 'live')
  await setCredentials(run, PAID_MODE)
  await passCheck(run, PAID_MODE)
  const context = scanned.flowContext
  await systemClock.sleep(1500)
  const [first = ''] = await payAll(context, canaries)
  const refund = await merchantCall(context, `/checkouts/${first}/refunds`, { refundId: 'r-1' })
  if (refund.status !== 201) run.unexpectedEndings.push(`a refund was answered ${refund.status}: ${refund.body}`)
  await deliverNotifications(run)
  if (kind === 'adyen') await controlAdyen(run, 'reports', { merchantAccount: MERCHANT_ACCOUNTS[PAID_MODE] })
  await deliverNotifications(run)
  await crash(run, context, canaries)
  await beRefused(run, context, canaries)
  await operate(run)
  await readAsMerchant(context)
  const dump = databaseUrl === null ? null : await dumpPostgres(databaseUrl)
  if (dump !== null) outputs.push(dump)
  outputs.push(...(await readFolder('temporary files', scanned.temporaryDir)))
}

/** One account's life; nothing of its secrets may be found outside of the files that the operator gave. */
export const runCredentials = async ({ acquirer, databaseUrl, kind }: CredentialRun): Promise<CredentialResult> => {
  const scanned = await startServerUnderScan(acquirer.origin, databaseUrl, kind)
  const run: Run = { scanned, kind, acquirer, outputs: [], unexpectedEndings: [] }
  const watch = watchProcesses(scanned.folder)
  try {
    if (kind === 'adyen') {
      const { adyenKey: apiKey, reportKey, hmacKey } = scanned.credentials
      for (const mode of MERCHANT_MODES) {
        const webhookUrl = `http://127.0.0.1:${scanned.env['PORT']}/acquirer/adyen/${DEMO_LABEL}/${mode}`
        const account = { merchantAccount: MERCHANT_ACCOUNTS[mode], apiKey, reportKey, webhookUrl, hmacKey }
        await controlAdyen(run, 'accounts', { ...account, live: mode === 'live' })
      }
    }
    await liveThrough(run, databaseUrl)
    const processes = await watch.stop()
    // Last, and not watched: who gives a secret as an argument has shown it to the machine. It is not repeated.
    const secret = credentialsText(run, 'live', true)
    await command(run, ['acquirer', 'set', ...accountIn('live'), '--kind', kind, '--secret-file', secret], [2])
    const outputs = [...run.outputs, ...processes, ...(await collectOutputs(scanned))]
    const scanner = createScanner([], scanned.secrets)
    return {
      commands: run.outputs.filter(({ place }) => place === 'commands').length + 1,
      bytes: outputs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      places: [...new Set(outputs.map(({ place }) => place))].toSorted(),
      hits: outputs.flatMap((output) => scanner.scan(output)).map(describeHit),
      unexpectedEndings: run.unexpectedEndings,
    }
  } finally {
    await watch.stop()
    await scanned.close()
  }
}
