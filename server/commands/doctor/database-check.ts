/** Database checks: whether payments can be written down and stay so, and whether its clock and ours agree. */
import { CLOCK_SKEW_MAX_MS } from '#payment/clock.ts'
import { access, constants, statfs } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { COMMAND_NAMES } from '../../config/release.ts'
import type { Database } from '../../store/engine/database.ts'
import { integerOrNull, text, integer } from '../../store/engine/columns.ts'
import { isLastClockFollowed, readStoredTimes, takesOneWrite } from '../../store/engine/heartbeat.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

export interface SqliteFacts {
  readonly engine: 'SQLite'
  readonly version: string
  readonly journalMode: string
  readonly synchronous: number
  readonly isFolderWritable: boolean
  readonly freeBytes: number
  readonly takesWrites: boolean
}

export interface PostgresFacts {
  readonly engine: 'PostgreSQL'
  readonly version: string
  readonly synchronousCommit: string
  readonly fsync: string
  readonly fullPageWrites: string
  readonly takesWrites: boolean
}

export type DatabaseFacts = SqliteFacts | PostgresFacts

const MIB = 1024 * 1024
export const FREE_FAIL_BYTES = 100 * MIB
export const FREE_WARN_BYTES = 1024 * MIB

/** PRAGMA synchronous: NORMAL is 1, which loses the last payments in a power cut. */
const SYNCHRONOUS_FULL = 2

const NO_WRITES = 'see that its disk has room and that it is no read-only replica.'

const judgeSqlite = (facts: SqliteFacts): Finding => {
  const { version, journalMode, synchronous, freeBytes } = facts
  const free = `${Math.floor(freeBytes / MIB)} MiB free`
  if (journalMode !== 'wal' || synchronous < SYNCHRONOUS_FULL)
    return fail(
      `${version} keeps journal ${journalMode} with synchronous ${synchronous}: a power cut may lose payments`,
      'put DATA_DIR on a local disk: WAL does not work on network file systems.',
    )
  if (!facts.isFolderWritable)
    return fail(`${version}: the folder cannot be written`, 'make DATA_DIR belong to the user of the server.')
  if (freeBytes < FREE_FAIL_BYTES) return fail(`${version}: ${free}`, 'make room on the disk of DATA_DIR.')
  if (!facts.takesWrites) return fail(`${version} takes no writes`, NO_WRITES)
  if (freeBytes < FREE_WARN_BYTES) return warn(`${version}: ${free}`, 'make room on the disk of DATA_DIR.')
  return ok(`${version}, WAL, synchronous FULL, takes writes, ${free}`)
}

const judgePostgres = (facts: PostgresFacts): Finding => {
  const { version, synchronousCommit, fsync, fullPageWrites } = facts
  if (fsync !== 'on')
    return fail(
      `${version} has fsync ${fsync}: a crash may lose or destroy payments`,
      'set fsync = on in its configuration.',
    )
  if (fullPageWrites !== 'on')
    return fail(
      `${version} has full_page_writes ${fullPageWrites}: a crash may destroy payments`,
      'set full_page_writes = on.',
    )
  if (synchronousCommit === 'off' || synchronousCommit === 'local')
    return fail(
      `${version} has synchronous_commit ${synchronousCommit} in our session: a commit is answered before it is stored`,
      'let nothing between us and the server reset a session, as a pooler does.',
    )
  if (!facts.takesWrites) return fail(`${version} takes no writes`, NO_WRITES)
  return ok(`${version}, synchronous_commit ${synchronousCommit}, fsync on, takes writes`)
}

export const judgeDatabase = (facts: DatabaseFacts): Finding =>
  facts.engine === 'SQLite' ? judgeSqlite(facts) : judgePostgres(facts)

const setting = async (database: Database, name: string): Promise<string> => {
  const [row = {}] = await database.rows('SELECT current_setting($1) AS value', name)
  return text(row, 'value')
}

export const readDatabaseFacts = async (
  database: Database,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<DatabaseFacts> => {
  const { version } = database
  if (databaseUrl !== null)
    return {
      engine: 'PostgreSQL',
      version,
      synchronousCommit: await setting(database, 'synchronous_commit'),
      fsync: await setting(database, 'fsync'),
      fullPageWrites: await setting(database, 'full_page_writes'),
      takesWrites: await takesOneWrite(database),
    }
  const [journal = {}] = await database.rows('PRAGMA journal_mode')
  const [synchronous = {}] = await database.rows('PRAGMA synchronous')
  const { bavail, bsize } = await statfs(dataDir)
  return {
    engine: 'SQLite',
    version,
    journalMode: text(journal, 'journal_mode'),
    synchronous: integer(synchronous, 'synchronous'),
    isFolderWritable: await access(dataDir, constants.W_OK).then(
      () => true,
      () => false,
    ),
    freeBytes: bavail * bsize,
    takesWrites: await takesOneWrite(database),
  }
}

export interface ClockFacts {
  readonly now: number
  /** The database's own clock when ours said `now`; null where it has none of its own. */
  readonly databaseNow: number | null
  /** How long its answer took: the two are known no better than that. */
  readonly tripMs: number
  /** The newest time that a server has stored. */
  readonly newestStored: number | null
  /** Whether the server follows the clock of its machine. */
  readonly isFollowed: boolean
}

export const CLOCK_WARN_MS = 1000

const SET_CLOCK = 'let both machines keep their time by NTP.'

export const judgeClock = ({ now, databaseNow, tripMs, newestStored, isFollowed }: ClockFacts): Finding => {
  if (!isFollowed)
    return fail(
      'the clock of the server has jumped and is not confirmed: deletions, expiries and mails wait',
      `set it, or see ${COMMAND_NAMES.program} clock show.`,
    )
  const ahead = newestStored === null ? 0 : newestStored - now
  if (ahead > CLOCK_SKEW_MAX_MS)
    return fail(
      `the database holds a time that is ${Math.round(ahead / 1000)} s ahead of this clock`,
      'set the clock of this machine, and let it keep its time by NTP.',
    )
  if (databaseNow === null) return ok('the embedded database goes by the clock of this machine')
  const apart = Math.max(0, Math.abs(databaseNow - now) - tripMs)
  const says = `this clock and the database's are ${apart} ms apart`
  if (apart > CLOCK_SKEW_MAX_MS) return fail(says, SET_CLOCK)
  return apart > CLOCK_WARN_MS ? warn(says, SET_CLOCK) : ok(says)
}

/** Small tables, so that no index is needed. */
const NEWEST = `SELECT MAX(stored) AS newest FROM (SELECT MAX(applied_at) AS stored FROM migrations
  UNION ALL SELECT MAX(last_used_at) AS stored FROM api_keys UNION ALL SELECT MAX(at) AS stored FROM heartbeat) AS times`

const DATABASE_NOW = 'SELECT cast(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now'

export const readClockFacts = async (
  database: Database,
  hasOwnClock: boolean,
  clock: { now(): number },
): Promise<ClockFacts> => {
  const [newest = {}] = await database.rows(NEWEST)
  const before = clock.now()
  const [row = {}] = hasOwnClock ? await database.rows(DATABASE_NOW) : []
  const now = clock.now()
  const databaseNow = hasOwnClock ? integer(row, 'now') : null
  const isFollowed = isLastClockFollowed(await readStoredTimes(database))
  return { now, databaseNow, tripMs: now - before, newestStored: integerOrNull(newest, 'newest'), isFollowed }
}
