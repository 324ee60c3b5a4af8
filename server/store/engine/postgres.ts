/** PostgreSQL engine: pool, timeouts, durability, transactions. */
import pg from 'pg'
import { DatabaseUnavailable, outsideTransaction, type Database, type Sql, type Write } from './database.ts'
import { text } from './columns.ts'
import { applyMigrations, scriptFor } from './migrate.ts'
import { coalesceReads } from './coalesced-reads.ts'
import { asConflict, asOurs, isGivenUp, isLost, unavailable } from './postgres-errors.ts'
import { columnTypes, sendStatement } from './postgres-statement.ts'
import { CHECKOUT, MANY_CHECKOUTS } from '../checkout/readings.ts'
import { createServerLock } from './server-lock.ts'
import { assertIndependent, joinWrites } from './write.ts'

const POOL_SIZE = 10
const KEEP_ALIVE_MS = 10_000
/** Advisory lock: of two servers that start at once, one migrates and the other waits. */
export const MIGRATION_LOCK = 0x6b61696b
const APPLICATION_NAME = 'kaikei'

/** How long the database may take. Without an end to it, ten calls that wait for one held row are all the pool has. */
export interface PostgresTimeouts {
  /** For a connection, whether one must be made or comes free. */
  readonly connectMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  readonly statementMs: number
  readonly clientMs: number
  /** How long a server that lost its lock waits to have it back. */
  readonly serverLockMs: number
}

const TIMEOUTS: PostgresTimeouts = {
  connectMs: 5000,
  // A transition holds its row for milliseconds: whoever has it for seconds is frozen. Pay, whose timeout is 30 s, meets up to
  // three locks, one after another.
  lockMs: 5000,
  // Inside a transaction nothing but the database is waited for. One that is silent there is frozen, and its rows go free.
  idleInTransactionMs: 10_000,
  // Later than the lock's, which says more.
  statementMs: 15_000,
  // The client's own, for a server that cannot be heard: later than all that the server would have ended by itself.
  clientMs: 20_000,
  // A session of our own that is left over is ended first: whoever has the lock for so long is another server.
  serverLockMs: 5000,
}

/**
 * What is relied on, whatever role and server have as their own. A commit is on the disk before it is answered: `off` and
 * `local` are raised, levels that also wait for a replica are left. A session whose host is gone ends after 25 seconds and
 * lets go of its locks, instead of two hours; on a Unix socket, where a host cannot go, PostgreSQL ignores that.
 */
const EVERY_SESSION = `SELECT set_config('default_transaction_isolation', 'read committed', false),
  CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN set_config('synchronous_commit', 'on', false) END,
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25000', false)`
const LONE_SESSION = `SELECT set_config('application_name', $1, false), set_config('statement_timeout', '0', false),
  set_config('lock_timeout', '0', false), set_config('idle_session_timeout', '0', false),
  set_config('idle_in_transaction_session_timeout', '0', false)`

/** The very lock that an UPDATE takes: FOR UPDATE would also give way to a row that is merely referred to. */
const SKIP_LOCKED = 'FOR NO KEY UPDATE SKIP LOCKED'
/** Against an UPDATE too: FOR KEY SHARE, which a foreign key takes, holds off nothing but a DELETE. */
const FOR_SHARE = 'FOR SHARE'

/** Names that share a hash only wait for each other. */
const namesLockText = (names: readonly string[]): string =>
  `SELECT ${names.map((_name, at) => `pg_advisory_xact_lock(hashtextextended($${at + 1}, 0))`).join()}`

const sqlOn = (client: pg.ClientBase): Sql => {
  const rows: Sql['rows'] = (statement, ...values) => sendStatement(client, statement, values)
  return {
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
  // In a stricter level, which a role may have as its own, whoever waited for a row would be told to begin again.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED')
  try {
    const result = await work(sqlOn(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    // No ROLLBACK on a broken connection: the server does so by itself when it is gone.
    if (isLost(error)) throw unavailable(error)
    const isRolledBack = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    if (!isRolledBack) throw new DatabaseUnavailable('connection lost inside a transaction', { cause: error })
    throw asConflict(error)
  }
}

/** One statement, which is a transaction of its own. */
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
    // Not `verify`: a call that gives up while that is under way would take its connection along, for good.
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not say so
    onConnect: (client) => client.query(EVERY_SESSION),
  })
  // Without a listener an idle connection that breaks ends the whole process.
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
    // Without a connection nothing was asked, so nothing can be wrong but the way there.
    const ours = client === undefined ? unavailable(error) : asOurs(error)
    // A broken connection must not go back to the pool with half a transaction on it.
    client?.release(ours instanceof DatabaseUnavailable && !isGivenUp(error))
    throw ours
  }
}

/** A connection of its own, without limits: the pool's and those that a role may have. */
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
    // A peer that vanished without a word is noticed by the kernel.
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

  const rows: Sql['rows'] = (statement, ...values) =>
    withClient(pool, (client) => sendStatement(client, statement, values))
  const readCheckout = coalesceReads(
    (merchantId, id) => rows(CHECKOUT, merchantId, id),
    (merchantIds, ids) => withClient(pool, (client) => sendStatement(client, MANY_CHECKOUTS, [merchantIds, ids])),
  )

  return {
    version,
    rows: (statement, ...values) => {
      const [merchantId, id] = values
      const isCheckout = statement === CHECKOUT && typeof merchantId === 'string' && typeof id === 'string'
      return isCheckout ? readCheckout(merchantId, id) : rows(statement, ...values)
    },
    writeAll: (writes) => withClient(pool, (client) => writeAlone(client, writes)),
    skipLocked: SKIP_LOCKED,
    forShare: FOR_SHARE,
    lockNames: outsideTransaction,
    transact: (work) => withClient(pool, (client) => transaction(client, work)),
    migrate: async (migrations, now) => {
      // Not from the pool: a migration, and the wait for another server's, take the time they take.
      const client = await connectAlone(way, APPLICATION_NAME)
      try {
        await transaction(client, async (sql) => {
          await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
          await applyMigrations(sql, (script) => client.query(scriptFor('PostgreSQL', script)), migrations, now)
        })
      } catch (error) {
        throw asOurs(error)
      } finally {
        await client.end()
      }
    },
    claimServer: (onLost = () => undefined) => serverLock.claim(onLost),
    close: async () => {
      await serverLock.close()
      await pool.end()
    },
  }
}
