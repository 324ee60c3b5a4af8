/** Attacked server: the real server with the settings of production, its sandbox, and shops of its own, in processes. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Engine } from '../filled-database/copy-checkout.ts'
import { DURABLE, openBenchDatabase } from '../filled-database/bench-database.ts'
import { systemClock } from '../../server/dependencies.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { integer, text } from '../../server/store/engine/columns.ts'
import { insertKey } from '../../server/store/merchant/keys.ts'
import { startProductionServer, type ProductionServer } from '../programs/production-server.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { saveMerchant } from '../harness/save-records.ts'
import { barestEnvironment, freePort } from '../harness/server-process.ts'
import { CALL_TIMEOUT_MS, isPaid, send, shopClient, type ApiAnswer, type ShopClient } from '../harness/shop-client.ts'
import { MERCHANT_SETTINGS, testKey } from '../harness/test-merchants.ts'

/** What an attack measured, by names of the table of limits. */
export type Measured = Readonly<Record<string, number>>

/** One attack. Whatever it throws is a problem of its own and stops no other. */
export interface Attack {
  readonly name: string
  run(report: (line: string) => void): Promise<Measured>
}

interface AttackSettings {
  readonly engine?: Engine
  readonly more?: Readonly<Record<string, string>>
  /** Of the sandbox too, beside its own. */
  readonly sandboxMore?: Readonly<Record<string, string>>
  /** Before the server begins to use it; answers what undoes it. */
  prepare?(dataDir: string): () => void
}

export interface AttackedServer {
  readonly engine: Engine
  readonly sandbox: SandboxProcess
  readonly dataDir: string
  /** Null: the database is embedded. */
  readonly databaseUrl: string | null
  /** What the server wrote to its log since it was last started, but for what is only information. */
  readonly logLines: readonly string[]
  running(): ProductionServer
  /** The demo, or a shop that `addShop` made. */
  shop(label?: string): ShopClient
  addShop(label: string): Promise<ShopClient>
  /** A connection beside the server's. */
  sql<T>(work: (database: Database) => Promise<T>): Promise<T>
  /** The one number that a statement answers as `n`. */
  count(statement: string): Promise<number>
  get(path: string): Promise<ApiAnswer>
  metrics(host?: string): Promise<ApiAnswer>
  kill(): Promise<void>
  start(more?: Readonly<Record<string, string>>): Promise<void>
}

export const wait = systemClock.sleep

/** True once it is; false where it is not in time. */
export const until = async (timeoutMs: number, is: () => Promise<boolean>, everyMs = 100): Promise<boolean> => {
  const end = performance.now() + timeoutMs
  while (!(await is().catch(() => false))) {
    if (performance.now() > end) return false
    await wait(everyMs)
  }
  return true
}

const getFrom = (port: number, path: string, host: string): Promise<ApiAnswer> =>
  send(port, { method: 'GET', path, headers: { host }, timeoutMs: CALL_TIMEOUT_MS })

export const withAttackedServer = async <T>(
  { engine = 'SQLite', more = {}, sandboxMore = {}, prepare }: AttackSettings,
  work: (server: AttackedServer) => Promise<T>,
): Promise<T> => {
  const database = await openBenchDatabase(engine, DURABLE)
  const undo = prepare?.(database.dataDir)
  const sandbox = await startSandbox({ ...barestEnvironment(), ...sandboxMore })
  const metricsPort = await freePort()
  const keys = new Map<string, string>()
  let logLines: string[] = []
  let running: ProductionServer | undefined
  const current = (): ProductionServer => {
    if (running === undefined) throw new Error('the server was stopped')
    return running
  }
  const sql: AttackedServer['sql'] = async (each) => {
    const opened = await database.open()
    try {
      return await each(opened)
    } finally {
      await opened.close()
    }
  }
  const server: AttackedServer = {
    engine,
    sandbox,
    dataDir: database.dataDir,
    databaseUrl: database.url,
    get logLines() {
      return logLines
    },
    running: current,
    shop: (label = 'demo') => shopClient(current().port, keys.get(label) ?? current().key, label),
    addShop: async (label) => {
      const key = `sk_test_${randomBytes(16).toString('hex')}`
      await sql(async (each) => {
        const merchant = await saveMerchant(each, { id: `${label}-id`, label, settings: MERCHANT_SETTINGS }, 0)
        await insertKey(each, testKey(key, merchant.id), systemClock.now())
      })
      keys.set(label, key)
      return server.shop(label)
    },
    sql,
    count: (statement) => sql(async (each) => integer((await each.rows(statement))[0] ?? {}, 'n')),
    get: (path) => getFrom(current().port, path, `localhost:${current().port}`),
    metrics: (host = `127.0.0.1:${metricsPort}`) => getFrom(metricsPort, '/metrics', host),
    kill: async () => {
      const killed = running?.process
      running = undefined
      if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return
      killed.kill('SIGKILL')
      await once(killed, 'exit')
    },
    start: async (others = {}) => {
      logLines = []
      running = await startProductionServer({
        dataDir: database.dataDir,
        sandboxPort: new URL(sandbox.origin).port,
        more: {
          METRICS_PORT: String(metricsPort),
          SMTP_URL: `smtp://127.0.0.1:${sandbox.mailboxPort}`,
          MAIL_FROM: 'receipts@pay.example.com',
          ...(database.url === null ? {} : { DATABASE_URL: database.url }),
          ...more,
          ...others,
        },
        // Of thousands of answers nobody reads a line.
        onLogLine: (line) => {
          if (!line.includes('"level":"info"')) logLines.push(line)
        },
      })
    },
  }
  try {
    await server.start()
    return await work(server)
  } finally {
    await server.kill()
    await sandbox.stop()
    undo?.()
    await database.remove()
  }
}

/** How many of so many payments are paid, each of an address of its own. */
export const countPaid = async (
  shop: ShopClient,
  times: number,
  report: (line: string) => void,
  number?: string,
): Promise<number> => {
  let paid = 0
  for (let each = 0; each < times; each += 1) {
    const from = `203.0.113.${each + 1}`
    try {
      const end = await shop.payWhole(await shop.create(), number === undefined ? { from } : { from, number })
      if (isPaid(end)) paid += 1
      else report(`not paid: ${end.call} ${end.answer.status} ${end.answer.text.slice(0, 120)}`)
    } catch (error) {
      report(`not paid: ${String(error)}`)
    }
  }
  return paid
}

/** The id of a shop, by its label. */
export const merchantIdOf = (server: AttackedServer, label: string): Promise<string> =>
  server.sql(async (each) => text((await each.rows('SELECT id FROM merchants WHERE label = $1', label))[0] ?? {}, 'id'))

/** How many of these lines call a person, with these words. */
export const alarms = (lines: readonly string[], words: RegExp): number =>
  lines.filter((line) => line.includes('"alarm"') && words.test(line)).length
