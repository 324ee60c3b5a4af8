import { createHash } from 'node:crypto'
import pg from 'pg'
import {
  Conflict,
  DatabaseUnavailable,
  MIGRATIONS_TABLE,
  text,
  withoutConflict,
  type Database,
  type Row,
  type Sql,
  type SqlValue,
} from './database.ts'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 5000
const RECLAIM_MS = 500
const MIGRATION_LOCK = 0x6b61696b
const SERVER_LOCK = 0x6b61696c

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

const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const unavailable = (error: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable(error instanceof Error ? error.message : 'connection lost', { cause: error })

const asOurs = (error: unknown): unknown => {
  const state = sqlState(error)
  const lost = error instanceof Error && /terminated|timeout|ended|not queryable/i.test(error.message)
  if (lost || state?.startsWith('E') === true || (state !== undefined && UNAVAILABLE_CLASSES.has(state.slice(0, 2)))) {
    return unavailable(error)
  }
  return error
}

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

export const openPostgres = async (url: string): Promise<Database> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    application_name: 'kaikei',
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
      client?.release(ours instanceof DatabaseUnavailable)
      throw ours
    }
  }

  const transaction = async <T>(client: pg.PoolClient, work: (sql: Sql) => Promise<T>): Promise<T | Conflict> => {
    await client.query('BEGIN')
    try {
      const result = await work(sqlOn(client))
      await client.query('COMMIT')
      return result
    } catch (error) {
      // A broken connection cannot be told to roll back; the server does so by itself when it is gone.
      const told = await client.query('ROLLBACK').then(
        () => true,
        () => false,
      )
      if (!told) throw new DatabaseUnavailable('connection lost inside a transaction', { cause: error })
      if (sqlState(error)?.startsWith(CONSTRAINT_CLASS) === true) {
        const named = error instanceof pg.DatabaseError ? error.constraint : undefined
        return new Conflict(named ?? 'unnamed constraint')
      }
      throw error
    }
  }

  let serverLock: pg.Client | undefined
  let isClosing = false

  /** The lock lives as long as its connection: a restart of the database lets go of it. */
  const claim = async (onLost: () => void): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, types })
    client.on('error', () => undefined)
    await client.connect()
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
    migrate: (migrations, now) =>
      withClient(async (client) => {
        const applying = await transaction(client, async ({ rows }) => {
          await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
          await client.query(MIGRATIONS_TABLE)
          const applied = new Set((await rows('SELECT name FROM migrations')).map((row) => text(row, 'name')))
          for (const migration of migrations.filter(({ name }) => !applied.has(name))) {
            await client.query(migration.text)
            await rows('INSERT INTO migrations (name, applied_at) VALUES ($1, $2)', migration.name, now)
          }
        })
        withoutConflict(applying)
      }),
    claimServer: async (onLost = () => undefined) => serverLock !== undefined || claim(onLost),
    close: async () => {
      isClosing = true
      await serverLock?.end()
      await pool.end()
    },
  }
}
