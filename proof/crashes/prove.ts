/** Crash proof: kills the server, and on PostgreSQL the worker too, during payments, then audits all that was acknowledged. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/dependencies.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'
import { printProgress } from '../../tools/progress.mjs'
import { startPostgres } from '../../tools/test/postgres.ts'
import type { TestEngine } from '../harness/databases.ts'
import { restartableServer, type RestartableServer } from '../harness/restartable-server.ts'
import { startSandbox } from '../harness/sandbox-process.ts'
import { seededRandom, type SeededRandom } from '../harness/seeded-random.ts'
import { createServerDatabase, type ServerDatabase } from '../harness/server-databases.ts'
import { freePort } from '../harness/server-process.ts'
import { createApiClient, type ApiClient, type CallName } from './api-client.ts'
import {
  countPendingChargesAndRefunds,
  createAuditReport,
  databaseFileFaults,
  type AuditReport,
} from './audit-report.ts'
import type { Finding } from './audit.ts'
import { countUnsentMails, createMailReport, endMailLeases, type MailReport } from './mail-audit.ts'
import { MERCHANT_KEY, serverSettings } from './server-settings.ts'
import { startShoppers } from './shoppers.ts'

/** How often processes are killed, on which database, and from which seed. */
export interface CrashRoundsOptions {
  readonly engine: TestEngine['name']
  /** Fixes who pays how and when a process is killed. Which calls a kill cuts off depends on the machine. */
  readonly seed: number
  readonly kills: number
  /** How long the doubts may take to be resolved after the last kill. */
  readonly settleTimeoutMs: number
}

export interface CrashReport extends AuditReport, MailReport {
  readonly kills: { readonly server: number; readonly worker: number; readonly both: number }
  /** Calls that were under way when the server was killed, and got no response. */
  readonly cutOff: Readonly<Record<CallName, number>>
}

const SHOPPERS = 8
const CALLS_TO_KILL_AT = ['pay', 'pay', 'pay', 'pay', 'create', 'start', 'authenticate', 'refund', 'refund'] as const
const MAX_CALLS_BEFORE_KILL = 6
const MAX_DELAY_AFTER_CALL_MS = 60
/** Where the wanted call does not come within this time, the process is killed at whatever it does. */
const CALL_WAIT_LIMIT_MS = 10_000
const POLL_INTERVAL_MS = 100
const SETTLE_TIMEOUT_MS = 300_000

type KillTarget = keyof CrashReport['kills']
const KILL_TARGETS: Record<TestEngine['name'], readonly [KillTarget, ...KillTarget[]]> = {
  SQLite: ['server'],
  PostgreSQL: ['server', 'server', 'both', 'both', 'worker'],
}

/** Kills end so many attempts without a payment that to the limits on card testing it looks like an attack, and they say so. */
const isTrueAlarm = (line: string): boolean => line.includes('"cards are being tried out at a merchant"')

interface KillCounts {
  readonly kills: Record<KillTarget, number>
  readonly cutOff: Record<CallName, number>
}

/** Waits for a random moment in the middle of payments: soon after the first, second or later call of a kind. */
const waitForMomentToKill = async (api: ApiClient, random: SeededRandom): Promise<void> => {
  const called = api.waitForCalls(random.oneOf(CALLS_TO_KILL_AT), random.between(1, MAX_CALLS_BEFORE_KILL))
  const delayMs = random.between(0, MAX_DELAY_AFTER_CALL_MS)
  await Promise.race([called, systemClock.sleep(CALL_WAIT_LIMIT_MS)])
  await systemClock.sleep(delayMs)
}

/** Kills with payments under way, and starts again what it killed, with the same port and database. */
const killAndRestart = async (
  { server, worker }: { readonly server: RestartableServer; readonly worker: RestartableServer },
  target: KillTarget,
  api: ApiClient,
  { kills, cutOff }: KillCounts,
): Promise<void> => {
  const killed = target === 'both' ? [server, worker] : [target === 'server' ? server : worker]
  const pendingCalls = target === 'worker' ? [] : api.pendingCalls()
  kills[target] += 1
  await Promise.all(killed.map((each) => each.kill()))
  for (const { name, response } of pendingCalls) cutOff[name] += (await response) === 'no response' ? 1 : 0
  await Promise.all(killed.map((each) => each.start()))
}

const waitUntilSettled = async (database: ServerDatabase, isTimeUp: () => boolean): Promise<void> => {
  const sql = await database.open()
  while ((await countPendingChargesAndRefunds(sql)) > 0 && !isTimeUp()) await systemClock.sleep(POLL_INTERVAL_MS)
  await endMailLeases(sql)
  while ((await countUnsentMails(sql)) > 0 && !isTimeUp()) await systemClock.sleep(POLL_INTERVAL_MS)
  await sql.close()
}

/** Kills real processes on a real database in the middle of payments, then audits all that was acknowledged. */
const runCrashRounds = async (options: CrashRoundsOptions): Promise<CrashReport> => {
  const { engine, seed, kills, settleTimeoutMs } = options
  const random = seededRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-crashes-'))
  const database = await createServerDatabase(engine, folder)
  const sandbox = await startSandbox()
  const port = await freePort()
  const env = { ...database.env, ...serverSettings(port, sandbox), LOG_LEVEL: 'error' }
  const server = restartableServer(env)
  const worker = restartableServer({ ...env, WORKER_ONLY: '1' })
  const processes = engine === 'SQLite' ? [server] : [server, worker]
  const api = createApiClient(port, MERCHANT_KEY)
  const counts: KillCounts = {
    kills: { server: 0, worker: 0, both: 0 },
    cutOff: { create: 0, read: 0, start: 0, authenticate: 0, pay: 0, cancel: 0, refund: 0 },
  }
  let deadline = Number.POSITIVE_INFINITY
  const isTimeUp = (): boolean => systemClock.now() > deadline

  try {
    await Promise.all(processes.map((each) => each.start()))
    const shoppers = startShoppers({ size: SHOPPERS, api, random: random.split(), isTimeUp })
    for (let kill = 0; kill < kills; kill += 1) {
      await waitForMomentToKill(api, random)
      await killAndRestart({ server, worker }, random.oneOf(KILL_TARGETS[engine]), api, counts)
    }
    deadline = systemClock.now() + settleTimeoutMs
    await shoppers.stop()
    await waitUntilSettled(database, isTimeUp)
    // Ended by a kill as well: the audit sees only what is on disk.
    await Promise.all(processes.map((each) => each.kill()))

    const store = await database.open()
    const report = await createAuditReport(store, sandbox, shoppers.acknowledgements)
    const mails = await createMailReport(store, await sandbox.mails())
    const faults = engine === 'SQLite' ? await databaseFileFaults(store) : []
    await store.close()
    const logged = processes.flatMap((each) => each.outputs().flatMap(({ stderr }) => stderr))
    const errors = [...shoppers.shopperErrors, ...logged.filter((line) => !isTrueAlarm(line))]
    return {
      ...counts,
      ...report,
      ...mails,
      findings: [
        ...report.findings,
        ...mails.findings,
        ...faults.map((fault): Finding => ({ kind: 'lost', description: `the database file: ${fault}` })),
        ...errors.map((description): Finding => ({ kind: 'untrue', description })),
      ],
    }
  } finally {
    deadline = 0
    await Promise.allSettled(processes.map((each) => each.kill()))
    await sandbox.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

export const figuresOf = (seed: number, reports: Readonly<Record<TestEngine['name'], CrashReport>>): Figures => {
  for (const [engine, { findings, cutOff }] of Object.entries(reports)) {
    if (findings.length > 0)
      throw new CommandError(
        `${engine}: a promise was broken, see above; no two runs are quite the same, but try again`,
      )
    if (cutOff.pay === 0)
      throw new CommandError(`${engine}: no kill cut off a payment, which shows nothing: kill more often`)
  }
  const { SQLite: sqlite, PostgreSQL: postgres } = reports
  const sum = (figure: (report: CrashReport) => number): number => figure(sqlite) + figure(postgres)
  const { server, worker, both } = postgres.kills
  return {
    seed,
    killsOnSqlite: sqlite.kills.server,
    killsOnPostgres: server + worker + both,
    ofThemServerAlone: server,
    ofThemWorkerAlone: worker,
    ofThemBoth: both,
    paymentsCutOff: sum(({ cutOff }) => cutOff.pay),
    refundsCutOff: sum(({ cutOff }) => cutOff.refund),
    checkouts: sum(({ checkouts }) => checkouts),
    acknowledgedWrites: sum(({ acknowledged }) => acknowledged),
    acknowledgedPayments: sum(({ acknowledgedPayments }) => acknowledgedPayments),
    chargesAtTheAcquirer: sum(({ charges }) => charges),
    refundsAtTheAcquirer: sum(({ refunds }) => refunds),
    doubtsSeen: sum(({ doubts }) => doubts),
    mailsArrived: sum(({ mails }) => mails),
    ofThemMoreThanOnce: sum(({ mailCopies }) => mailCopies),
    lost: 0,
    doubleCharges: 0,
    unsettled: 0,
  }
}

export const parameters = '[kills on each database] [seed]'

const runOn = async (engine: TestEngine['name'], kills: number, seed: number): Promise<CrashReport> => {
  const report = await runCrashRounds({ engine, kills, seed, settleTimeoutMs: SETTLE_TIMEOUT_MS })
  printProgress(`${engine}: ${JSON.stringify(report)}`)
  return report
}

export const measure = async ([givenKills = '200', givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const kills = wholeNumber('the number of kills on each database', givenKills, { from: 1, to: 10_000 })
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  await ensureBuilt()
  const SQLite = await runOn('SQLite', kills, seed)
  const postgres = await startPostgres(process.env)
  process.env['TEST_DATABASE_URL'] = postgres.url
  try {
    return figuresOf(seed, { SQLite, PostgreSQL: await runOn('PostgreSQL', kills, seed) })
  } finally {
    await postgres.stop()
  }
}
