/** Server under scan: the real server with all that it can write to: a data folder, temporary files, a database, its log. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../server/store/engine/database.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openSqlite } from '../../server/store/engine/sqlite.ts'
import { createSimulatedBrowser, type SimulatedBrowser } from '../harness/simulated-browser.ts'
import { restartableServer, type RestartableServer } from '../harness/restartable-server.ts'
import { barestEnvironment, freePort, runKaikei } from '../harness/server-process.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { openPostgresFiles, type PostgresFiles } from './server-outputs.ts'
import type { FlowContext } from './shopper-requests.ts'

const GATEWAY_TIMEOUT_MS = 1500
const MERCHANT_KEY = 'sk_test_canariesCanariesCanaries'
const STRIPE_KEY = 'rk_live_canariesCanariesCanaries'

export interface ServerUnderScan {
  readonly flowContext: FlowContext
  readonly dataDir: string
  readonly temporaryDir: string
  readonly metricsPort: string
  /** Null: the embedded database, whose files lie in the data folder. */
  readonly postgresFiles: PostgresFiles | null
  readonly server: RestartableServer
  /** Stops the server as an operator does and closes our database connection: what is on the disk is then final. */
  shutDown(): Promise<void>
  close(): Promise<void>
}

const browserOf = (client: HttpClient, port: string): SimulatedBrowser =>
  createSimulatedBrowser({
    hostSuffix: `.localhost:${port}`,
    send: async ({ url: path, payload, ...request }) => {
      const { status, body } = await client.send({
        ...request,
        path,
        ...(payload === undefined ? {} : { body: payload }),
      })
      return { statusCode: status, body }
    },
  })

/** Live money of the demo merchant goes to the double of Stripe: the sandbox's own acquirer has test money alone. */
const openLiveAccount = async (
  folder: string,
  acquirerOrigin: string,
  env: Readonly<Record<string, string>>,
): Promise<void> => {
  const secretFile = join(folder, 'stripe.key')
  await writeFile(secretFile, STRIPE_KEY, { mode: 0o600 })
  const place = ['--merchant', 'demo', '--mode', 'live', '--kind', 'stripe']
  await runKaikei(
    ['acquirer', 'set', ...place, '--secret-file', secretFile, '--api-base', `${acquirerOrigin}/stripe`],
    env,
  )
}

const PUBLISH_EVERY_NUMBER = new URL('publish-every-number.ts', import.meta.url).href

const nameNumber = async (acquirerOrigin: string, number: string): Promise<void> => {
  const body = JSON.stringify({ number })
  const { ok } = await fetch(`${acquirerOrigin}/stripe/control/cards`, { method: 'POST', body })
  if (!ok) throw new Error('the double of Stripe did not take the number')
}

/** With the embedded database where no URL is given. */
export const startServerUnderScan = async (
  acquirerOrigin: string,
  databaseUrl: string | null,
): Promise<ServerUnderScan> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-canaries-'))
  const [dataDir, temporaryDir] = [join(folder, 'data'), join(folder, 'tmp')]
  await mkdir(dataDir)
  await mkdir(temporaryDir)
  const [port, metricsPort] = [String(await freePort()), String(await freePort())]
  const env = {
    PORT: port,
    METRICS_PORT: metricsPort,
    DATA_DIR: dataDir,
    TMPDIR: temporaryDir,
    SANDBOX_PORT: new URL(acquirerOrigin).port,
    MAIL_FROM: 'receipts@pay.example.com',
    GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
    DEMO_MERCHANT_KEY: MERCHANT_KEY,
    LOG_LEVEL: 'debug',
    NODE_OPTIONS: `${barestEnvironment()['NODE_OPTIONS'] ?? ''} --import=${PUBLISH_EVERY_NUMBER}`,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  }
  // Before the first server starts: PostgreSQL's log is scanned from this position on.
  const postgresFiles = databaseUrl === null ? null : await openPostgresFiles(databaseUrl)
  const server = restartableServer(env)
  let database: Database | null = null

  const closeDatabase = async (): Promise<void> => {
    const open = database
    database = null
    await open?.close()
  }
  const close = async (): Promise<void> => {
    try {
      await server.kill()
    } finally {
      await closeDatabase()
      await postgresFiles?.close()
      await rm(folder, { recursive: true, force: true })
    }
  }

  try {
    await server.start()
    await openLiveAccount(folder, acquirerOrigin, env)
    const opened =
      databaseUrl === null ? openSqlite(join(dataDir, 'kaikei.sqlite'), null) : await openPostgres(databaseUrl)
    database = opened
    const client = createHttpClient(port)
    return {
      flowContext: {
        client,
        browser: browserOf(client, port),
        port,
        merchantKey: MERCHANT_KEY,
        database: opened,
        nameToAcquirer: (number) => nameNumber(acquirerOrigin, number),
      },
      dataDir,
      temporaryDir,
      metricsPort,
      postgresFiles,
      server,
      shutDown: async () => {
        await server.kill('SIGTERM')
        await closeDatabase()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
