/** Pool of PostgreSQL: connections with our session settings, thrown away when their server is gone or read-only. */
import pg from 'pg'
import { DatabaseUnavailable, type Row } from './database.ts'
import { asOurs, isIntact, isOfEveryConnection, nothingStored } from './postgres-errors.ts'

/**
 * Settings that must hold whatever role and server have configured. A commit is on the disk before it is answered: `off` and
 * `local` are raised, stricter levels stay. A session whose host is gone ends after 25 seconds instead of two hours and
 * releases its locks; PostgreSQL ignores that on a Unix socket.
 */
const EVERY_SESSION = `SELECT set_config('default_transaction_isolation', 'read committed', false),
  CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN set_config('synchronous_commit', 'on', false) END,
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '25000', false),
  pg_is_in_recovery() AS is_standby, pg_backend_pid() AS pid`

/** PgBouncer's own words for the timeouts that we ask for, unless it is told to drop them. */
const PARAMETER_OF_POOLER = /unsupported startup parameter/
const POOLER = 'a connection pooler stands before PostgreSQL'

export const isOfPooler = (error: unknown): boolean =>
  error instanceof Error && (error.message === POOLER || PARAMETER_OF_POOLER.test(error.message))

/**
 * A standby answers readings with old rows, and gives a server lock that the primary does not know. A pooler may give each
 * transaction another session, so that the server lock would be lost or held for ever; and it drops our timeouts, in its session
 * mode too. It greets with a process id of its own.
 */
export const setUpSession = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<Row>(EVERY_SESSION)
  const [session = {}] = rows
  if (!('processID' in client) || client.processID !== session['pid']) throw new DatabaseUnavailable(POOLER)
  if (session['is_standby'] !== false) throw new DatabaseUnavailable('this server is a standby, which takes no writes')
}

export interface PostgresPool {
  /** Throws a `NothingStored` where there was no connection. What `work` throws becomes one of our errors where it can. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /** Whether a connection is free, or may be opened, for one more call. */
  hasRoom(): boolean
  close(): Promise<void>
}

export const openPool = (config: pg.PoolConfig): PostgresPool => {
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its types do not say so
  const pool = new pg.Pool({ ...config, onConnect: setUpSession })
  // Without a listener, a broken idle connection ends the process.
  pool.on('error', () => undefined)

  /** After a failover every connection that was opened before it is thrown away, not one for each call that fails. */
  let generation = 0
  const generations = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => {
    generations.set(client, generation)
    // As above, for one that breaks between two statements of a transaction.
    client.on('error', () => undefined)
  })
  const acquire = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await pool.connect()
      if (generations.get(client) === generation) return client
      client.release(true)
    }
  }
  const noticeLoss = (client: pg.PoolClient, cause: unknown): void => {
    // Many calls lose their connections at once. The first of them is enough: later connections are fresh.
    if (isOfEveryConnection(cause) && generations.get(client) === generation) generation += 1
  }

  return {
    withClient: async (work) => {
      let client: pg.PoolClient
      try {
        client = await acquire()
      } catch (error) {
        throw nothingStored(error)
      }
      try {
        const result = await work(client)
        client.release()
        return result
      } catch (error) {
        const ours = asOurs(error)
        const cause = error instanceof DatabaseUnavailable ? error.cause : error
        noticeLoss(client, cause)
        // A broken connection must not return to the pool with an open transaction.
        client.release(ours instanceof DatabaseUnavailable && !isIntact(cause))
        throw ours
      }
    },
    // One that is free is given away a tick later.
    hasRoom: () => pool.idleCount + pool.options.max - pool.totalCount > pool.waitingCount,
    close: () => pool.end(),
  }
}
