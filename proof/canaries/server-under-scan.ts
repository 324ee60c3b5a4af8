/** Server under scan: the real server with all that it can write to: a data folder, temporary files, a database, its log. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AcquirerKind } from '#payment/acquirer-limits.ts'
import { SECRET_KEY_FILE } from '../../server/config/secret-key.ts'
import { DEMO_LABEL } from '../../server/demo/demo.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { openSqlite } from '../../server/store/engine/sqlite.ts'
import { createSimulatedBrowser, type SimulatedBrowser } from '../harness/simulated-browser.ts'
import { restartableServer, type RestartableServer } from '../harness/restartable-server.ts'
import { barestEnvironment, freePort, runKaikei } from '../harness/server-process.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { createCredentials, secretsOf, type CanaryCredentials, type NamedSecret } from './canary-credentials.ts'
import { watchProcesses } from './processes.ts'
import type { ServerOutput } from './scanner.ts'
import { openPostgresFiles, textOutput, type PostgresFiles } from './server-outputs.ts'
import type { FlowContext } from './shopper-requests.ts'

const GATEWAY_TIMEOUT_MS = 1500
const MERCHANT_KEY = 'sk_test_canariesCanariesCanaries'
/** At the double of Adyen, by mode. */
export const MERCHANT_ACCOUNTS = { live: 'CanaryShopJP', test: 'CanaryShopTEST' } as const

/** Where a server and its commands run: everything of theirs is below this folder, and they have these settings. */
interface ServerPlace {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

export interface ServerUnderScan extends ServerPlace {
  readonly credentials: CanaryCredentials
  /** What may be found nowhere else. */
  readonly secrets: readonly NamedSecret[]
  /** What the command wrote that set the account. */
  readonly commandOutputs: readonly ServerOutput[]
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

const CREDENTIALS_OF = {
  stripe: ({ stripeKey }: CanaryCredentials): string => stripeKey,
  adyen: ({ adyenKey, hmacKey, reportKey }: CanaryCredentials): string =>
    JSON.stringify({ apiKey: adyenKey, merchantAccount: MERCHANT_ACCOUNTS.live, hmacKey, reportApiKey: reportKey }),
} as const satisfies Record<AcquirerKind, (credentials: CanaryCredentials) => string>

/**
 * Live money of the demo merchant goes to the double of an acquirer: the sandbox's own acquirer has test money alone. Returns
 * what the command wrote, and what could be seen of its process.
 */
const openLiveAccount = async (
  place: ServerPlace,
  acquirerOrigin: string,
  kind: AcquirerKind,
  credentials: CanaryCredentials,
): Promise<readonly ServerOutput[]> => {
  const { folder, env } = place
  const [secretFile, tokenFile] = [join(folder, 'secret'), join(folder, 'token')]
  await writeFile(secretFile, CREDENTIALS_OF[kind](credentials), { mode: 0o600 })
  await writeFile(tokenFile, credentials.threeDSToken, { mode: 0o600 })
  const account = ['--merchant', DEMO_LABEL, '--mode', 'live', '--kind', kind]
  const threeDS = ['--three-ds-merchant-id', 'canary-shop', '--three-ds-token-file', tokenFile]
  const base = ['--api-base', `${acquirerOrigin}/${kind}`]
  const watch = watchProcesses(folder)
  try {
    const set = await runKaikei(['acquirer', 'set', ...account, '--secret-file', secretFile, ...base, ...threeDS], env)
    return [textOutput('commands', `${set.stdout}\n${set.stderr}`), ...(await watch.stop())]
  } finally {
    await watch.stop()
  }
}

const PUBLISH_EVERY_NUMBER = new URL('publish-every-number.ts', import.meta.url).href

const nameNumber = async (acquirerOrigin: string, number: string): Promise<void> => {
  const body = JSON.stringify({ number })
  const { ok } = await fetch(`${acquirerOrigin}/stripe/control/cards`, { method: 'POST', body })
  if (!ok) throw new Error('the double of Stripe did not take the number')
}

/** With the embedded database where no URL is given; `kind`: the acquirer of live mode. */
export const startServerUnderScan = async (
  acquirerOrigin: string,
  databaseUrl: string | null,
  kind: AcquirerKind = 'stripe',
): Promise<ServerUnderScan> => {
  const credentials = createCredentials()
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
    const commandOutputs = await openLiveAccount({ folder, env }, acquirerOrigin, kind, credentials)
    const secretKey = (await readFile(join(dataDir, SECRET_KEY_FILE), 'utf8')).trim()
    const opened =
      databaseUrl === null ? openSqlite(join(dataDir, 'kaikei.sqlite'), null) : await openPostgres(databaseUrl)
    database = opened
    const client = createHttpClient(port)
    return {
      folder,
      env,
      credentials,
      secrets: secretsOf(credentials, secretKey, new RegExp(`, ${SECRET_KEY_FILE}$`)),
      commandOutputs,
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
