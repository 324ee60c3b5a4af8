/** Server lock on PostgreSQL: one server a database, because cards are held in its memory. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Row, ServerClaim } from './database.ts'
import { integer, textOrNull } from './columns.ts'

const SERVER_LOCK = 0x6b61696c
const AGAIN_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

const HOLDER = `SELECT holder.pid, host(holder.client_addr) AS host,
    to_char(holder.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
  FROM pg_locks JOIN pg_stat_activity AS holder ON holder.pid = pg_locks.pid
  WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = ${SERVER_LOCK} AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

const holderOf = async (client: pg.Client): Promise<string> => {
  const [row] = (await client.query<Row>(HOLDER)).rows
  if (row === undefined) return 'It has just let go.'
  const pid = integer(row, 'pid')
  // Of another role's session PostgreSQL tells nothing but its number.
  const [host, since] = [textOrNull(row, 'host'), textOrNull(row, 'since')]
  const facts = [`PostgreSQL session ${pid}`, host && `from ${host}`, since && `since ${since}`]
    .filter(Boolean)
    .join(' ')
  return `It is ${facts}; if its host is gone, that session ends within half a minute, and at once by SELECT pg_terminate_backend(${pid}).`
}

interface ServerLock {
  claim(onLost: () => void): Promise<ServerClaim>
  close(): Promise<void>
}

/** The lock lives as long as its session: a restart of the database releases it, and so does a broken connection. */
export const createServerLock = (
  connect: (applicationName: string) => Promise<pg.Client>,
  timeoutMs: number,
): ServerLock => {
  // Where a connection broke unnoticed, the server goes on holding the lock for a session of ours that is gone.
  // By this name, which nobody else has, such a session is found and ended.
  const name = `kaikei server ${randomBytes(8).toString('hex')}`
  const takeBack = `SET lock_timeout = ${timeoutMs};
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}' AND pid <> pg_backend_pid();
    SELECT pg_advisory_lock(${SERVER_LOCK})`

  let held: pg.Client | undefined
  let waiting: pg.Client | undefined
  let isClosing = false

  const hold = (client: pg.Client, onLost: () => void): void => {
    held = client
    client.once('end', () => {
      held = undefined
      reclaim(onLost, 0)
    })
  }

  const claim = async (onLost: () => void): Promise<ServerClaim> => {
    if (held !== undefined) return { isOurs: true }
    const client = await connect(name)
    try {
      const { rows } = await client.query<Row>('SELECT pg_try_advisory_lock($1) AS taken', [SERVER_LOCK])
      if (rows[0]?.['taken'] === true) {
        hold(client, onLost)
        return { isOurs: true }
      }
      return { isOurs: false, holder: await holderOf(client) }
    } finally {
      if (held !== client) await client.end()
    }
  }

  /** Waits in the queue: whoever starts meanwhile and only tries is not faster. */
  const waitForIt = async (onLost: () => void): Promise<void> => {
    const client = await connect(name)
    waiting = client
    try {
      await client.query(takeBack)
      if (!isClosing) hold(client, onLost)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
      if (!isClosing) onLost()
    } finally {
      waiting = undefined
      if (held !== client) await client.end()
    }
  }

  const reclaim = (onLost: () => void, afterMs: number): void => {
    const timer = setTimeout(() => {
      if (!isClosing) waitForIt(onLost).catch(() => reclaim(onLost, AGAIN_MS))
    }, afterMs)
    timer.unref()
  }

  return {
    claim,
    close: async () => {
      isClosing = true
      await Promise.all([held?.end(), waiting?.end()])
    },
  }
}
