/** PostgreSQL engine: timeouts, transactions, statements, server lock. */
import pg from 'pg'
import { isReading, outsideTransaction, type Database, type Sql } from './database.ts'
import { text } from './columns.ts'
import { asConflict, asOurs, isLost, isRefusedForNow, nothingStored, unavailable } from './postgres-errors.ts'
import { createPostgresMigrations } from './postgres-migrations.ts'
import { openPool, setUpSession, type PostgresPool } from './postgres-pool.ts'
import { createRetry, SYSTEM_TIME, type RetryTime } from './postgres-retry.ts'
import { columnTypes, sendStatement } from './postgres-statement.ts'
import { createServerLock } from './server-lock.ts'
import { isPayment } from './urgency.ts'
import { assertIndependent, joinWrites } from './write.ts'

const POOL_SIZE = 10
/** Of the connections, for payments alone: a payment takes some ten, one after another, and would stand each time behind all that a flood reads. */
const PAYMENTS_SHARE = 0.3
const KEEP_ALIVE_MS = 10_000
const APPLICATION_NAME = 'kaikei'

/** Without timeouts, ten calls that wait for one locked row would use up the pool. */
interface PostgresTimeouts {
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

export interface PostgresOptions extends PostgresTimeouts {
  /** How many connections a process has at most, beside the one of its server lock; a part of them is for payments alone. */
  readonly poolSize: number
  readonly retryTime: RetryTime
}

const DEFAULTS: PostgresOptions = {
  poolSize: POOL_SIZE,
  retryTime: SYSTEM_TIME,
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
  // A left-over session of our own is ended first, so whoever holds the lock for five seconds is another server.
  serverLockMs: 5000,
  // A migration of a full database takes minutes. Whoever waits longer is started again by its supervisor.
  migrationMs: 300_000,
  // Well below `lockMs`: a payment that waits behind the statement must not fail by it.
  tableLockMs: 1000,
  // Longer than `tableLockMs`, so that payments move for most of the time.
  tableLockPauseMs: 2000,
}

const LONE_SESSION = `SELECT set_config('application_name', $1, false), set_config('statement_timeout', '0', false),
  set_config('lock_timeout', '0', false), set_config('idle_session_timeout', '0', false),
  set_config('idle_in_transaction_session_timeout', '0', false)`

/** The lock that an UPDATE takes. FOR UPDATE would also skip rows that a foreign key check has locked. */
const SKIP_LOCKED = 'FOR NO KEY UPDATE SKIP LOCKED'
/** Also blocks an UPDATE: FOR KEY SHARE, which a foreign key takes, blocks a DELETE alone. */
const FOR_SHARE = 'FOR SHARE'
const BY_BYTES = 'COLLATE "C"'

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
    byBytes: BY_BYTES,
    lockNames: async (...names) => void (await client.query(namesLockText(names), names)),
  }
}

const transaction = async <T>(client: pg.ClientBase, work: (sql: Sql) => Promise<T>): Promise<T> => {
  let isCommitting = false
  // When COMMIT was sent and is not answered, it is unknown whether the transaction was stored: it must not run again.
  const failed = (error: unknown) => (isCommitting ? unavailable(error) : nothingStored(error))
  try {
    // At a stricter level, which a role may have configured, a transaction that waited for a row would fail.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
    const result = await work(sqlOn(client))
    isCommitting = true
    const { command } = await client.query('COMMIT')
    // PostgreSQL answers so, and without an error, where `work` has swallowed the error of a statement.
    if (command !== 'COMMIT') throw new Error('a statement of a transaction failed, and nothing of it was stored')
    return result
  } catch (error) {
    // No ROLLBACK on a broken connection: the server rolls back by itself.
    if (isLost(error)) throw failed(error)
    try {
      await client.query('ROLLBACK')
    } catch (lost) {
      throw failed(lost)
    }
    throw isRefusedForNow(error) ? failed(error) : asConflict(error)
  }
}

/** One statement is a transaction by itself. If its connection is lost, a write may have been stored; a reading stores nothing. */
const alone = async <T>(
  client: pg.ClientBase,
  kind: 'reads' | 'writes',
  work: (sql: Sql) => Promise<T>,
): Promise<T> => {
  try {
    return await work(sqlOn(client))
  } catch (error) {
    throw isRefusedForNow(error) || (kind === 'reads' && isLost(error)) ? nothingStored(error) : asConflict(error)
  }
}

/** A connection outside the pool, without the timeouts of the pool or of a role. */
const connectAlone = async (way: pg.ClientConfig, applicationName: string): Promise<pg.Client> => {
  const client = new pg.Client(way)
  client.on('error', () => undefined)
  await client.connect()
  try {
    await setUpSession(client)
    await client.query(LONE_SESSION, [applicationName])
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

export const openPostgres = async (url: string, more: Partial<PostgresOptions> = {}): Promise<Database> => {
  const options = { ...DEFAULTS, ...more }
  const way: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: options.connectMs,
    // The kernel notices a peer that has vanished.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: columnTypes,
    application_name: APPLICATION_NAME,
    // No statement runs long enough to be worth compiling: for the look for what is due that took 120 ms, each second.
    options: '-c jit=off',
  }
  const lockWay = { ...way, query_timeout: options.serverLockMs + options.clientMs }
  const serverLock = createServerLock((name) => connectAlone(lockWay, name), options.serverLockMs)
  const ofPayments = Math.floor(PAYMENTS_SHARE * options.poolSize)
  const openPoolOf = (max: number): PostgresPool =>
    openPool({
      ...way,
      max,
      lock_timeout: options.lockMs,
      idle_in_transaction_session_timeout: options.idleInTransactionMs,
      statement_timeout: options.statementMs,
      query_timeout: options.clientMs,
    })
  const shared = openPoolOf(options.poolSize - ofPayments)
  const payments = ofPayments === 0 ? shared : openPoolOf(ofPayments)
  // The shared ones first: those of payments are opened while a flood holds all others.
  const withClient: PostgresPool['withClient'] = (work) =>
    (isPayment() && !shared.hasRoom() ? payments : shared).withClient(work)
  const retry = createRetry(options.retryTime)

  const version = await withClient(async (client) => {
    const [row = {}] = await sqlOn(client).rows('SHOW server_version')
    return `PostgreSQL ${text(row, 'server_version').split(' ')[0]}`
  })

  return {
    version,
    coalescesReads: true,
    rows: (statement, ...values) => {
      const kind = isReading(statement) ? 'reads' : 'writes'
      const send = () => withClient((client) => alone(client, kind, (sql) => sql.rows(statement, ...values)))
      return kind === 'reads' ? retry.read(send) : retry.write(send)
    },
    writeAll: (writes) =>
      retry.write(() => withClient((client) => alone(client, 'writes', (sql) => sql.writeAll(writes)))),
    skipLocked: SKIP_LOCKED,
    forShare: FOR_SHARE,
    byBytes: BY_BYTES,
    lockNames: outsideTransaction,
    transact: (work) => retry.write(() => withClient((client) => transaction(client, work))),
    ...createPostgresMigrations({
      // Not from the pool: a migration, and the wait for that of another server, may take any time.
      connect: () => connectAlone(way, APPLICATION_NAME),
      transaction,
      isOwn: serverLock.isOwn,
      timeouts: options,
    }),
    claimServer: (mode, onLost = () => undefined) =>
      serverLock.claim(mode, onLost).catch((error: unknown) => {
        throw asOurs(error)
      }),
    close: async () => {
      await serverLock.close()
      await Promise.all([...new Set([shared, payments])].map((pool) => pool.close()))
    },
  }
}
