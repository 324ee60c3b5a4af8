import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../server/store/database.ts'
import { openPostgres } from '../../server/store/postgres.ts'
import { openSqlite } from '../../server/store/sqlite.ts'
import { browseThrough, type FormBrowser } from '../harness/form-browser.ts'
import { freePort, spawnServer, type ServerProcess } from '../harness/server-process.ts'
import { createClient, type Client } from './client.ts'
import { openPostgresFiles, type PostgresFiles } from './outputs.ts'
import type { World } from './shopper.ts'

const GATEWAY_TIMEOUT_MS = 1500
const MERCHANT_KEY = 'sk_test_canariesCanariesCanaries'

/** The real server with all that it can write to: a data folder, temporary files, a database, its log. */
export interface Premises {
  readonly world: World
  readonly dataDir: string
  readonly temporaryDir: string
  readonly metricsPort: string
  /** Null: the embedded database, whose files lie in the data folder. */
  readonly postgresFiles: PostgresFiles | null
  /** What it printed in all its lives, one text for each. */
  logs(): readonly string[]
  launch(): Promise<void>
  /** Ends the running server and waits until it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Ends the server as an operator does and leaves its database: what is on the disk is then final. */
  shut(): Promise<void>
  close(): Promise<void>
}

const browserOf = (client: Client, port: string): FormBrowser =>
  browseThrough({
    hosts: `.localhost:${port}`,
    send: async ({ method, url, headers, payload }) => {
      const request = { method, path: url, headers, ...(payload === undefined ? {} : { body: payload }) }
      const { status, body } = await client.send(request)
      return { statusCode: status, body }
    },
  })

interface Address {
  readonly acquirerOrigin: string
  /** Null: the embedded database. */
  readonly databaseUrl: string | null
}

const openDatabase = async ({ databaseUrl }: Address, dataDir: string): Promise<Database> =>
  databaseUrl === null ? openSqlite(join(dataDir, 'kaikei.sqlite'), null) : openPostgres(databaseUrl)

/** Launches the first server. */
export const openPremises = async (address: Address): Promise<Premises> => {
  const { acquirerOrigin, databaseUrl } = address
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
    GATEWAY_TIMEOUT_MS: String(GATEWAY_TIMEOUT_MS),
    DEMO_MERCHANT_KEY: MERCHANT_KEY,
    LOG_LEVEL: 'debug',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  }
  // Before the first server: what it writes into the log of PostgreSQL is looked at from here on.
  const postgresFiles = databaseUrl === null ? null : await openPostgresFiles(databaseUrl)
  const servers: ServerProcess[] = []
  let database: Database | null = null

  const launch = async (): Promise<void> => {
    const server = spawnServer(env)
    servers.push(server)
    await server.ready()
  }
  const end: Premises['end'] = async (signal) => {
    const server = servers.at(-1)
    server?.child.kill(signal)
    await server?.ended
  }
  const leaveDatabase = async (): Promise<void> => {
    const left = database
    database = null
    await left?.close()
  }
  const close = async (): Promise<void> => {
    await end('SIGKILL')
    await leaveDatabase()
    await postgresFiles?.close()
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await launch()
    const opened = await openDatabase(address, dataDir)
    database = opened
    const client = createClient(port)
    return {
      world: { client, browser: browserOf(client, port), port, merchantKey: MERCHANT_KEY, database: opened },
      dataDir,
      temporaryDir,
      metricsPort,
      postgresFiles,
      logs: () => servers.map(({ said, complained }) => [...said(), ...complained()].join('\n')),
      launch,
      end,
      shut: async () => {
        await end('SIGTERM')
        await leaveDatabase()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
