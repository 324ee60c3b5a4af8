/** Prepares the database when a server or a worker starts: server lock, migrations, unfinished restores, secret key. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { COMMAND_NAMES } from '../config/release.ts'
import { newSecretKey, readSecretKeys, SECRET_KEY_FILE, writeSecretKeys } from '../config/secret-key.ts'
import { createSealing } from '../config/sealed.ts'
import { claimDatabase, type StartEvents } from './claim-database.ts'
import { DatabaseUnavailable, MigrationBlocked, type Database } from './engine/database.ts'
import { readTables, type Tables } from './engine/migrate.ts'
import { openDatabase, tablesProblem } from './engine/open.ts'
import { restoreToRecover } from './backup/restore-marker.ts'
import { adoptSecretKeys, hasSecretKey, placeOfSecretKey } from './engine/secret-key-check.ts'
import { hasAccounts, sealAccountsAnew } from './merchant/acquirer-accounts.ts'
import { sealSaidAnew } from './merchant/set-aside-said.ts'

const RETRY_INTERVAL_MS = 100

/** Retries while a process starts; false when the time is over. */
export const retryUntil = async (attempt: () => Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  const deadline = performance.now() + timeoutMs
  while (!(await attempt())) {
    if (performance.now() >= deadline) return false
    await sleep(RETRY_INTERVAL_MS)
  }
  return true
}

/** A server of the same release that starts together with a worker has migrated by then. */
const WORKER_TABLES_TIMEOUT_MS = 30_000

interface PreparedDatabase {
  readonly database: Database
  /** The current key first. A worker may have none where no shop has an account: it then sends no webhooks, because nobody could verify them. */
  readonly secretKeys: readonly string[]
  /** No other server runs: one that shares its card hold is alone until it has recovered a restored database. */
  readonly isAlone: boolean
}

/** One line that says what to mend. */
interface Problem {
  readonly problem: string
}

/** While the database restarts, a worker waits as if the tables were missing. Its claim tells whoever migrates of its release. */
const waitForTables = async (database: Database): Promise<Tables> => {
  let tables: Tables = { are: 'missing', missing: [] }
  await retryUntil(async () => {
    try {
      tables = await database.whileNobodyMigrates(async () => {
        await database.claimServer('worker')
        return readTables(database)
      })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    return tables.are !== 'missing'
  }, WORKER_TABLES_TIMEOUT_MS)
  return tables
}

const OF_THIS_DATABASE = `Set SECRET_KEY to that one, or restore its file ${SECRET_KEY_FILE} in DATA_DIR; if it is lost: ${COMMAND_NAMES.program} secret reset.`

export const otherKeyProblem = ({ secretKey, dataDir }: Config): string => {
  const used = secretKey === null ? `the file ${join(dataDir, SECRET_KEY_FILE)}` : 'SECRET_KEY'
  return `The secret key in ${used} is not the one that this database was set up with. ${OF_THIS_DATABASE}`
}

/** Each would make one of its own, and leave it in a file. */
const prepareSecretKeys = async (
  config: Config,
  database: Database,
): Promise<{ readonly secretKeys: readonly string[] } | Problem> => {
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  let { keys } = reading
  if (keys.length === 0) {
    if (await hasSecretKey(database))
      return { problem: `There is no secret key, and this database was set up with one. ${OF_THIS_DATABASE}` }
    keys = [newSecretKey()]
    await writeSecretKeys(config.dataDir, keys)
  }
  if (!(await adoptSecretKeys(database, keys))) return { problem: otherKeyProblem(config) }
  // At every start: the one that adopted a new key may have ended before it had sealed all of them.
  const sealing = createSealing(keys)
  await sealAccountsAnew(database, sealing)
  await sealSaidAnew(database, sealing)
  return { secretKeys: keys }
}

const RESTORED =
  'This database was restored from a backup and not yet compared with the acquirer. Start its server anew, which does so.'

const ROTATED = 'This database is used with another secret key since. Start this again with the settings of its server.'

const MIGRATED =
  'A newer release has changed the tables of this database, and does not allow this release beside it. Start that one.'

/** Why a running server or worker must stop; null: it may go on. */
export const staleProblem = async (database: Database, secretKeys: readonly string[]): Promise<string | null> => {
  if ((await restoreToRecover(database)) !== null) return RESTORED
  if ((await readTables(database)).are === 'newer') return MIGRATED
  // While a key is rotated over several servers, those that know it as an earlier one go on.
  const isKnown = secretKeys.length === 0 || (await placeOfSecretKey(database, secretKeys)) !== null
  return isKnown ? null : ROTATED
}

const NO_KEY_FOR_ACCOUNTS = `There is no secret key, and shops have accounts at acquirers that only the secret key opens: this worker could ask none of them. Give it SECRET_KEY, or DATA_DIR with the file ${SECRET_KEY_FILE}, as its server has it.`

/** A worker migrates nothing, because servers of another release may use this database. It waits for the tables of its own. */
const prepareForWorker = async (config: Config, database: Database): Promise<PreparedDatabase | Problem> => {
  const tables = await waitForTables(database)
  if (tables.are !== 'ours') return { problem: tablesProblem(tables, config) }
  if ((await restoreToRecover(database)) !== null) return { problem: RESTORED }
  const reading = await readSecretKeys(config)
  if ('problem' in reading) return reading
  const { keys } = reading
  // It would open none of them, and answer every doubt of theirs with "unknown".
  if (keys.length === 0 && (await hasAccounts(database))) return { problem: NO_KEY_FOR_ACCOUNTS }
  const place = keys.length === 0 ? 0 : await placeOfSecretKey(database, keys)
  if (place === null) return { problem: otherKeyProblem(config) }
  // The key of its servers first, though a newer one may be set here: endpoints that name no key are signed for with that one.
  return { database, secretKeys: [...keys.slice(place, place + 1), ...keys.toSpliced(place, 1)], isAlone: false }
}

const prepareForServer = async (
  config: Config,
  database: Database,
  events: StartEvents,
): Promise<PreparedDatabase | Problem> => {
  const claimed = await claimDatabase(config, database, events)
  if ('problem' in claimed) return claimed
  const prepared = await prepareSecretKeys(config, database)
  return 'problem' in prepared ? prepared : { database, ...prepared, isAlone: claimed.mode === 'alone' }
}

const startProblem = (error: unknown): Problem => {
  if (error instanceof MigrationBlocked) return { problem: error.message }
  if (error instanceof DatabaseUnavailable)
    return { problem: `The database went away while this process started (${error.message}). Start it again.` }
  throw error
}

export const prepareDatabase = async (config: Config, events: StartEvents): Promise<PreparedDatabase | Problem> => {
  const opened = await openDatabase(config)
  if ('problem' in opened) return opened
  const { database } = opened
  const prepared = await (
    config.worker === 'only' ? prepareForWorker(config, database) : prepareForServer(config, database, events)
  ).catch(startProblem)
  // Without this the server lock would last as long as the process, which may go on after a problem.
  if ('problem' in prepared) await database.close()
  return prepared
}
