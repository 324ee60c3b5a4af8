/** Fleet: three servers and two workers behind HAProxy, on three PostgreSQL and a Valkey with a replica, all from deploy/. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { newCardHoldKey } from '../../server/card-hold/keys-file.ts'
import { systemClock } from '../../server/dependencies.ts'
import { runAndCapture } from '../../tools/exit-with-parent.ts'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import { MERCHANT_KEY, serverSettings } from '../crashes/server-settings.ts'
import type { SandboxProcess } from '../harness/sandbox-process.ts'
import { barestEnvironment } from '../harness/server-process.ts'
import { newSecrets, takeFleetPorts, type FleetPorts, type FleetSecrets } from './addresses.ts'
import { readVariables } from './deployed-files.ts'
import { kaikeiProcess, type KaikeiProcess } from './kaikei-process.ts'
import { isDatabaseWhole, isHoldWhole, isReady } from './store-states.ts'
import { prepareStores, type Stores, type StoreSettings } from './stores.ts'

export interface Fleet {
  readonly ports: FleetPorts
  readonly secrets: FleetSecrets
  readonly stores: Stores
  readonly servers: readonly KaikeiProcess[]
  readonly workers: readonly KaikeiProcess[]
  /** By way of HAProxy, as the servers have it. */
  readonly databaseUrl: string
  start(): Promise<void>
  /** `kaikei migrate` of the release in this folder, as a step of its own. */
  migrate(root: string): Promise<void>
  /** Resolves when every part is as before the fault; throws where that takes too long. */
  whole(): Promise<void>
  /** Ends every process, at once. */
  end(): Promise<void>
}

const HOST = '127.0.0.1'
const WHOLE_TIMEOUT_MS = 90_000
const POLL_MS = 250

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = systemClock.now() + WHOLE_TIMEOUT_MS
  while (!(await isSo())) {
    if (systemClock.now() > deadline) throw new Error(`${what} within ${WHOLE_TIMEOUT_MS / 1000} s`)
    await systemClock.sleep(POLL_MS)
  }
}

const createDatabase = async (port: number, { postgres, kaikei }: FleetSecrets): Promise<string> => {
  const admin = new pg.Client({ connectionString: `postgresql://postgres:${postgres}@${HOST}:${port}/postgres` })
  await admin.connect()
  await admin.query(`CREATE ROLE kaikei LOGIN PASSWORD '${kaikei}'`)
  await admin.query('CREATE DATABASE kaikei OWNER kaikei')
  await admin.end()
  return `postgresql://kaikei:${kaikei}@${HOST}:${port}/kaikei`
}

/** The settings of deploy/kaikei.env with the addresses of this run, and those of a test. */
const kaikeiSettings = (
  { ports, secrets, folder }: Pick<StoreSettings, 'ports' | 'secrets' | 'folder'>,
  sandbox: SandboxProcess,
): Readonly<Record<string, string>> => {
  const keysFile = join(folder, 'card-hold-keys')
  writeFileSync(keysFile, newCardHoldKey(), { mode: 0o600 })
  // One sandbox for all of them, so none has a port for its own.
  const { PORT: _port, SANDBOX_PORT: _sandboxPort, ...ofTests } = serverSettings(0, sandbox)
  const sentinels = ports.sentinels.map((port) => `${HOST}:${port}`).join()
  return {
    ...readVariables('kaikei.env'),
    ...ofTests,
    PUBLIC_BASE: `http://localhost:${ports.http}`,
    DATABASE_URL: `postgresql://kaikei:${secrets.kaikei}@${HOST}:${ports.database}/kaikei`,
    CARD_HOLD_URL: `redis+sentinel://:${secrets.hold}@${sentinels}/cards`,
    CARD_HOLD_KEYS_FILE: keysFile,
    SECRET_KEY: secrets.postgres.repeat(2),
    SANDBOX_URL: sandbox.origin,
    DEMO: 'on',
    DEMO_MERCHANT_KEY: MERCHANT_KEY,
    LOG_LEVEL: 'error',
  }
}

export const prepareFleet = async (
  settings: Omit<StoreSettings, 'ports' | 'secrets'>,
  sandbox: SandboxProcess,
): Promise<Fleet> => {
  const { folder } = settings
  const own = { ports: await takeFleetPorts(), secrets: newSecrets() }
  const { ports, secrets } = own
  const stores = prepareStores({ ...settings, ...own })
  const shared = kaikeiSettings({ ...own, folder }, sandbox)
  const kaikei = (name: string, more: Readonly<Record<string, string>>): KaikeiProcess => {
    const DATA_DIR = join(folder, name)
    mkdirSync(DATA_DIR)
    return kaikeiProcess(name, { ...shared, DATA_DIR, ...more })
  }
  const servers = ports.servers.map((port, index) =>
    kaikei(`server-${index + 1}`, { PORT: String(port), WORKER: 'off' }),
  )
  const workers = [1, 2].map((index) => kaikei(`worker-${index}`, { WORKER: 'only' }))
  const whole = async (): Promise<void> => {
    await until('PostgreSQL is not whole', () => isDatabaseWhole(ports))
    await until('Valkey is not whole', () => isHoldWhole(ports, secrets))
    for (const port of ports.servers)
      await until(`the server at ${port} is not ready`, () => isReady(port, `localhost:${ports.http}`))
  }
  const migrate = async (root: string): Promise<void> => {
    const { code, output } = await runAndCapture(process.execPath, [join(root, 'tools/run/kaikei.ts'), 'migrate'], {
      env: { ...barestEnvironment(), ...shared, DATA_DIR: folder },
    })
    if (code !== 0) throw new Error(`kaikei migrate ended with ${code}: ${output}`)
  }
  return {
    ...own,
    stores,
    migrate,
    servers,
    workers,
    databaseUrl: shared['DATABASE_URL'] ?? '',
    whole,
    start: async () => {
      for (const each of stores.all.toReversed()) await each.start()
      await until('PostgreSQL is not whole', () => isDatabaseWhole(ports))
      await until('Valkey is not whole', () => isHoldWhole(ports, secrets))
      printProgress('PostgreSQL and Valkey are whole')
      await createDatabase(ports.database, secrets)
      await migrate(ROOT)
      // One after another: the first makes the demo merchant.
      for (const each of [...servers, ...workers]) await each.start()
      await whole()
      printProgress('three servers and two workers are ready')
    },
    end: async () => {
      await Promise.allSettled([...servers, ...workers].map((each) => each.end()))
      for (const each of [...servers, ...workers])
        writeFileSync(join(folder, `${each.name}.log`), each.log().join('\n'))
      await Promise.allSettled(stores.all.map((each) => each.kill()))
    },
  }
}
