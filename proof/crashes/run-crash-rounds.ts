import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/dependencies.ts'
import { seededRandom, type SeededRandom } from '../harness/seeded-random.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openEmbedded } from '../../server/store/engine/sqlite.ts'
import { startSandbox } from '../harness/sandbox-process.ts'
import { createPostgresDatabase, type TestEngine } from '../harness/databases.ts'
import { freePort } from '../harness/server-process.ts'
import {
  countPendingChargesAndRefunds,
  createAuditReport,
  databaseFileFaults,
  type AuditReport,
} from './audit-report.ts'
import type { Finding } from './audit.ts'
import { countUnsentMails, createMailReport, endMailLeases, type MailReport } from './mail-audit.ts'
import { startShoppers } from './shoppers.ts'
import { createApiClient, type ApiClient, type CallName } from './api-client.ts'
import { killableServer, type KillableServer } from './killable-server.ts'

/** Crash rounds: how often processes are killed, on which database, and from which seed. */
export interface CrashRoundsOptions {
  readonly engine: TestEngine['name']
  /** Fixes who pays how and when a process is killed. Which calls a kill cuts off depends on the machine. */
  readonly seed: number
  readonly kills: number
  /** How long the settling of everything may take after the last kill. */
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
/** Short, so that a missing answer is soon a doubt; the lease of a charge is fifteen seconds longer. */
const GATEWAY_TIMEOUT_MS = 2000
const KEY = `sk_test_${'k'.repeat(32)}`

interface CrashDatabase {
  readonly env: Readonly<Record<string, string>>
  open(): Promise<Database>
  remove(): Promise<void>
}

const createCrashDatabase = async (engine: TestEngine['name']): Promise<CrashDatabase> => {
  const shared = engine === 'PostgreSQL' ? await createPostgresDatabase() : null
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-crashes-'))
  return {
    env: { DATA_DIR: folder, ...(shared === null ? {} : { DATABASE_URL: shared.url }) },
    open: () => (shared === null ? openEmbedded(folder) : openPostgres(shared.url)),
    remove: async () => {
      await shared?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

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
  { server, worker }: { readonly server: KillableServer; readonly worker: KillableServer },
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

const waitUntilSettled = async (database: CrashDatabase, isTimeUp: () => boolean): Promise<void> => {
  const sql = await database.open()
  while ((await countPendingChargesAndRefunds(sql)) > 0 && !isTimeUp()) await systemClock.sleep(POLL_INTERVAL_MS)
  await endMailLeases(sql)
  while ((await countUnsentMails(sql)) > 0 && !isTimeUp()) await systemClock.sleep(POLL_INTERVAL_MS)
  await sql.close()
}

/** Kills real processes on a real database in the middle of payments, then audits all that was acknowledged. */
export const runCrashRounds = async ({
  engine,
  seed,
  kills,
  settleTimeoutMs,
}: CrashRoundsOptions): Promise<CrashReport> => {
  const random = seededRandom(seed)
  const database = await createCrashDatabase(engine)
  const sandbox = await startSandbox()
  const port = String(await freePort())
  const env = {
    ...database.env,
    PORT: port,
    SANDBOX_PORT: new URL(sandbox.origin).port,
    MAIL_FROM: 'receipts@pay.example.com',
    SANDBOX_TIME_SCALE: '0.1',
    GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
    DEMO_MERCHANT_KEY: KEY,
    LOG_LEVEL: 'error',
  }
  const server = killableServer(env)
  const worker = killableServer({ ...env, WORKER_ONLY: '1' })
  const processes = engine === 'SQLite' ? [server] : [server, worker]
  const api = createApiClient(`http://127.0.0.1:${port}`, KEY)
  const counts: KillCounts = {
    kills: { server: 0, worker: 0, both: 0 },
    cutOff: { create: 0, read: 0, start: 0, authenticate: 0, pay: 0, cancel: 0, refund: 0 },
  }
  let deadline = Number.POSITIVE_INFINITY
  const isTimeUp = (): boolean => systemClock.now() > deadline

  try {
    await Promise.all(processes.map((each) => each.start()))
    const shoppers = startShoppers({ size: SHOPPERS, api, random: random.split(), sleep: systemClock.sleep, isTimeUp })
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
    const logged = processes.flatMap((each) => each.errorOutput())
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
    await database.remove()
  }
}
