import { createHash } from 'node:crypto'
import pg from 'pg'
import {
  Conflict,
  DatabaseUnavailable,
  MIGRATIONS_TABLE,
  text,
  type Database,
  type Row,
  type Sql,
  type SqlValue,
} from './database.ts'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 5000
const KEEP_ALIVE_MS = 10_000
const RECLAIM_MS = 500
const MIGRATION_LOCK = 0x6b61696b
const SERVER_LOCK = 0x6b61696c

/** How long the database may take. Without an end to it, ten calls that wait for one held row are all the pool has. */
interface Patience {
  readonly lockMs: number
  readonly idleInTransactionMs: number
  readonly statementMs: number
  readonly answerMs: number
}

const PATIENCE: Patience = {
  // A move holds its row for milliseconds: whoever has it for seconds is frozen. Pay, whose patience is 30 s, meets up to
  // three locks, one after another.
  lockMs: 5000,
  // Inside a transaction nothing but the database is waited for. One that is silent there is frozen, and its rows go free.
  idleInTransactionMs: 10_000,
  // Later than the lock's, which says more.
  statementMs: 15_000,
  // The client's own, for a server that cannot be heard: later than all that the server would have ended by itself.
  answerMs: 20_000,
}

const BOOL = 16
const INT8 = 20
const INT4 = 23

/** The few types our statements answer. Every BIGINT here is an instant or an amount, far below 2^53. */
const parserOf = (oid: number): ((text: string) => unknown) => {
  if (oid === INT8 || oid === INT4) return Number
  return oid === BOOL ? (value) => value === 't' : (value) => value
}
const types: pg.CustomTypesConfig = { getTypeParser: parserOf }

const CONSTRAINT_CLASS = '23'
/** Connection lost, server shutting down, too many connections. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57'])
/** A row was held, or a statement took, for too long. The server has said so: the connection is in order. */
const GIVEN_UP = new Set(['55P03', '57014'])

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const isGivenUp = (error: unknown): boolean => GIVEN_UP.has(sqlState(error) ?? '')

/** Nobody knows what the connection is doing: it can neither be told to roll back nor be used again. */
const isLost = (error: unknown): boolean => {
  if (isGivenUp(error) || !(error instanceof Error)) return false
  const state = sqlState(error) ?? ''
  return (
    /terminated|timeout|ended|not queryable/i.test(error.message) ||
    state.startsWith('E') ||
    UNAVAILABLE_CLASSES.has(state.slice(0, 2))
  )
}

const unavailable = (error: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable(error instanceof Error ? error.message : 'connection lost', { cause: error })

const asOurs = (error: unknown): unknown => (isGivenUp(error) || isLost(error) ? unavailable(error) : error)

/** Named statements are parsed and planned once a connection. */
const statementNames = new Map<string, string>()
const statementName = (statement: string): string => {
  const known = statementNames.get(statement)
  if (known !== undefined) return known
  const name = createHash('sha256').update(statement).digest('hex').slice(0, 32)
  statementNames.set(statement, name)
  return name
}

/** The very lock that an UPDATE takes: FOR UPDATE would also give way to a row that is merely referred to. */
const PASSING_OVER_HELD = 'FOR NO KEY UPDATE SKIP LOCKED'

const sqlOn = (client: pg.ClientBase): Sql => ({
  passingOverHeld: PASSING_OVER_HELD,
  rows: async (statement, ...values) => {
    const result = await client.query<Row>({ name: statementName(statement), text: statement, values })
    return result.rows
  },
})

export const openPostgres = async (url: string, patience: Patience = PATIENCE): Promise<Database> => {
  const way: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A peer that vanished without a word is noticed by the kernel.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
    application_name: 'kaikei',
  }
  const pool = new pg.Pool({
    ...way,
    max: POOL_SIZE,
    lock_timeout: patience.lockMs,
    idle_in_transaction_session_timeout: patience.idleInTransactionMs,
    statement_timeout: patience.statementMs,
    query_timeout: patience.answerMs,
  })
  // Without a listener an idle connection that breaks ends the whole process.
  pool.on('error', () => undefined)
  // The same for one that breaks between two statements of a transaction.
  pool.on('connect', (client) => client.on('error', () => undefined))

  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
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

  const transaction = async <T>(client: pg.ClientBase, work: (sql: Sql) => Promise<T>): Promise<T> => {
    await client.query('BEGIN')
    try {
      const result = await work(sqlOn(client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      // A broken connection is not told to roll back: the server does so by itself when it is gone.
      if (isLost(error)) throw unavailable(error)
      const told = await client.query('ROLLBACK').then(
        () => true,
        () => false,
      )
      if (!told) throw new DatabaseUnavailable('connection lost inside a transaction', { cause: error })
      if (sqlState(error)?.startsWith(CONSTRAINT_CLASS) === true) {
        const named = error instanceof pg.DatabaseError ? error.constraint : undefined
        throw new Conflict(named ?? 'unnamed constraint')
      }
      throw error
    }
  }

  /** A connection of its own, without the pool's limits. */
  const connectAlone = async (): Promise<pg.Client> => {
    const client = new pg.Client(way)
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  let serverLock: pg.Client | undefined
  let isClosing = false

  /** The lock lives as long as its connection: a restart of the database lets go of it. */
  const claim = async (onLost: () => void): Promise<boolean> => {
    const client = await connectAlone()
    const result = await client.query<Row>('SELECT pg_try_advisory_lock($1) AS taken', [SERVER_LOCK])
    if (result.rows[0]?.['taken'] !== true) {
      await client.end()
      return false
    }
    serverLock = client
    client.once('end', () => {
      serverLock = undefined
      if (!isClosing) reclaim(onLost)
    })
    return true
  }
  const reclaim = (onLost: () => void): void => {
    const timer = setTimeout(() => {
      claim(onLost).then(
        (isOurs) => {
          if (!isOurs && !isClosing) onLost()
        },
        () => {
          if (!isClosing) reclaim(onLost)
        },
      )
    }, RECLAIM_MS)
    timer.unref()
  }

  const version = await withClient(async (client) => {
    const [row = {}] = await sqlOn(client).rows('SHOW server_version')
    return `PostgreSQL ${text(row, 'server_version').split(' ')[0]}`
  })

  return {
    version,
    rows: (statement: string, ...values: SqlValue[]) =>
      withClient((client) => sqlOn(client).rows(statement, ...values)),
    passingOverHeld: PASSING_OVER_HELD,
    transact: (work) => withClient((client) => transaction(client, work)),
    migrate: async (migrations, now) => {
      // Not from the pool: a migration, and the wait for another server's, take the time they take.
      const client = await connectAlone()
      try {
        await transaction(client, async ({ rows }) => {
          await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
          await client.query(MIGRATIONS_TABLE)
          const applied = new Set((await rows('SELECT name FROM migrations')).map((row) => text(row, 'name')))
          for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
            await client.query(migration.text)
            await rows('INSERT INTO migrations (name, applied_at) VALUES ($1, $2)', migration.name, now)
          }
        })
      } catch (error) {
        throw asOurs(error)
      } finally {
        await client.end()
      }
    },
    claimServer: async (onLost = () => undefined) => serverLock !== undefined || claim(onLost),
    close: async () => {
      isClosing = true
      await serverLock?.end()
      await pool.end()
    },
  }
}
