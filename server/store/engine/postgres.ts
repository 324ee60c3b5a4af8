/** PostgreSQL engine: pool, timeouts, durability, transactions. */
import pg from 'pg'
import { DatabaseUnavailable, outsideTransaction, type Database, type Sql, type Write } from './database.ts'
import { text } from './columns.ts'
import { asConflict, asOurs, isGivenUp, isLost, unavailable } from './postgres-errors.ts'
import { createPostgresMigrations } from './postgres-migrations.ts'
import { columnTypes, sendStatement } from './postgres-statement.ts'
import { createServerLock } from './server-lock.ts'
import { assertIndependent, joinWrites } from './write.ts'

const POOL_SIZE = 10
const KEEP_ALIVE_MS = 10_000
const APPLICATION_NAME = 'kaikei'

/** Without timeouts, ten calls that wait for one locked row would use up the pool. */
export interface PostgresTimeouts {
  /** To open a connection or to wait for a free one. */
  readonly connectMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  readonly statementMs: number
  readonly clientMs: number
  /** How long a server that lost its server lock waits to get it back. */
  readonly serverLockMs: number
  /** How long a start or a migration waits for another migration. */
  readonly migrationMs: number
  /** How long a statement of a migration waits for a table, and every payment behind it. */
  readonly tableLockMs: number
  /** The pause until it is tried again. */
  readonly tableLockPauseMs: number
}

const TIMEOUTS: PostgresTimeouts = {
  connectMs: 5000,
  // A transition holds its row for milliseconds; a lock of seconds means a frozen process. Pay has a timeout of 30 s and takes up
  // to three locks, one after another.
  lockMs: 5000,
  // Inside a transaction we wait for nothing but the database. An idle one is frozen, and its rows must be released.
  idleInTransactionMs: 10_000,
  // Longer than the lock timeout, whose error says more.
  statementMs: 15_000,
  // The timeout of the driver, for an unreachable server: longer than all timeouts of the server itself.
  clientMs: 20_000,
  // A left-over session of our own is ended first, so whoever holds the lock for so long is another server.
  serverLockMs: 5000,
  // A migration of a full database takes minutes. Whoever waits longer is started again by its supervisor.
  migrationMs: 300_000,
  // Well below `lockMs`: a payment that waits behind the statement must not fail by it.
  tableLockMs: 1000,
  // Longer than `tableLockMs`, so that payments move for most of the time.
  tableLockPauseMs: 2000,
}

/**
 * Settings that must hold whatever role and server have configured. A commit is on the disk before it is answered: `off` and
 * `local` are raised, stricter levels stay. A session whose host is gone ends after 25 seconds instead of two hours and
 * releases its locks; PostgreSQL ignores that on a Unix socket.
 */
const EVERY_SESSION = `SELECT set_config('default_transaction_isolation', 'read committed', false),
  CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN set_config('synchronous_commit', 'on', false) END,
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25000', false)`
const LONE_SESSION = `SELECT set_config('application_name', $1, false), set_config('statement_timeout', '0', false),
  set_config('lock_timeout', '0', false), set_config('idle_session_timeout', '0', false),
  set_config('idle_in_transaction_session_timeout', '0', false)`

/** The lock that an UPDATE takes. FOR UPDATE would also skip rows that a foreign key check has locked. */
const SKIP_LOCKED = 'FOR NO KEY UPDATE SKIP LOCKED'
/** Also blocks an UPDATE: FOR KEY SHARE, which a foreign key takes, blocks a DELETE alone. */
const FOR_SHARE = 'FOR SHARE'

/** Two names with the same hash wait for each other, which is harmless. */
const namesLockText = (names: readonly string[]): string =>
  `SELECT ${names.map((_name, at) => `pg_advisory_xact_lock(hashtextextended($${at + 1}, 0))`).join()}`

const sqlOn = (client: pg.ClientBase): Sql => {
  const rows: Sql['rows'] = (statement, ...values) => sendStatement(client, statement, values)
  return {
    coalescesReads: false,
    rows,
    writeAll: async (writes) => {
      assertIndependent(writes)
      const { text: statement, values } = joinWrites(writes)
      if (writes.length > 0) await rows(statement, ...values)
    },
    skipLocked: SKIP_LOCKED,
    forShare: FOR_SHARE,
    lockNames: async (...names) => void (await client.query(namesLockText(names), names)),
  }
}

const transaction = async <T>(client: pg.ClientBase, work: (sql: Sql) => Promise<T>): Promise<T> => {
  // At a stricter level, which a role may have configured, a transaction that waited for a row would fail.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    const result = await work(sqlOn(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    // No ROLLBACK on a broken connection: the server rolls back by itself.
    if (isLost(error)) throw unavailable(error)
    const isRolledBack = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    if (!isRolledBack) throw new DatabaseUnavailable('connection lost inside a transaction', { cause: error })
    throw asConflict(error)
  }
}

/** One statement is a transaction by itself. */
const writeAlone = async (client: pg.ClientBase, writes: readonly Write[]): Promise<void> => {
  try {
    await sqlOn(client).writeAll(writes)
  } catch (error) {
    throw asConflict(error)
  }
}

const openPool = (way: pg.ClientConfig, timeouts: PostgresTimeouts): pg.Pool => {
  const pool = new pg.Pool({
    ...way,
    max: POOL_SIZE,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    statement_timeout: timeouts.statementMs,
    query_timeout: timeouts.clientMs,
    // Not `verify`: a call that times out meanwhile would lose its connection for good.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not say so
    onConnect: (client) => client.query(EVERY_SESSION),
  })
  // Without a listener, a broken idle connection ends the process.
  pool.on('error', () => undefined)
  // The same for one that breaks between two statements of a transaction.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const withClient = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  let client: pg.PoolClient | undefined
  try {
    client = await pool.connect()
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    // Without a connection nothing was sent, so only the connection can have failed.
    const ours = client === undefined ? unavailable(error) : asOurs(error)
    // A broken connection must not return to the pool with an open transaction.
    client?.release(ours instanceof DatabaseUnavailable && !isGivenUp(error))
    throw ours
  }
}

/** A connection outside the pool, without the timeouts of the pool or of a role. */
const connectAlone = async (way: pg.ClientConfig, applicationName: string): Promise<pg.Client> => {
  const client = new pg.Client(way)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(EVERY_SESSION)
    await client.query(LONE_SESSION, [applicationName])
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

export const openPostgres = async (url: string, more: Partial<PostgresTimeouts> = {}): Promise<Database> => {
  const timeouts = { ...TIMEOUTS, ...more }
  const way: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: timeouts.connectMs,
    // The kernel notices a peer that has vanished.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: columnTypes,
    application_name: APPLICATION_NAME,
  }
  const pool = openPool(way, timeouts)
  const lockWay = { ...way, query_timeout: timeouts.serverLockMs + timeouts.clientMs }
  const serverLock = createServerLock((name) => connectAlone(lockWay, name), timeouts.serverLockMs)

  const version = await withClient(pool, async (client) => {
    const [row = {}] = await sqlOn(client).rows('SHOW server_version')
    return `PostgreSQL ${text(row, 'server_version').split(' ')[0]}`
  })

  return {
    version,
    coalescesReads: true,
    rows: (statement, ...values) => withClient(pool, (client) => sendStatement(client, statement, values)),
    writeAll: (writes) => withClient(pool, (client) => writeAlone(client, writes)),
    skipLocked: SKIP_LOCKED,
    forShare: FOR_SHARE,
    lockNames: outsideTransaction,
    transact: (work) => withClient(pool, (client) => transaction(client, work)),
    ...createPostgresMigrations({
      // Not from the pool: a migration, and the wait for that of another server, may take any time.
      connect: () => connectAlone(way, APPLICATION_NAME),
      transaction,
      isOwn: serverLock.isOwn,
      timeouts,
    }),
    claimServer: (mode, onLost = () => undefined) =>
      serverLock.claim(mode, onLost).catch((error: unknown) => {
        throw asOurs(error)
      }),
    close: async () => {
      await serverLock.close()
      await pool.end()
    },
  }
}
