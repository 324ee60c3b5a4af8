/**
 * Server lock on PostgreSQL: a database has one server that holds cards in its memory, or any number that share their card
 * hold, and never both.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Row, ServerClaim, ServerMode } from './database.ts'
import { integer, text, textOrNull } from './columns.ts'

const SERVER_LOCK = 0x6b61696c
const AGAIN_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'
const SUFFIX: Readonly<Record<ServerMode, string>> = { alone: '', shared: '_shared' }

const HOLDER = `SELECT holder.pid, pg_locks.mode, host(holder.client_addr) AS host,
    to_char(holder.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
  FROM pg_locks JOIN pg_stat_activity AS holder ON holder.pid = pg_locks.pid
  WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = ${SERVER_LOCK} AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

type Holder = Pick<Extract<ServerClaim, { isOurs: false }>, 'holder' | 'holderMode'>

const holderOf = async (client: pg.Client): Promise<Holder> => {
  const [row] = (await client.query<Row>(HOLDER)).rows
  if (row === undefined) return { holder: 'It has just let go.', holderMode: 'alone' }
  const pid = integer(row, 'pid')
  // Of a session of another role PostgreSQL shows its number alone.
  const [host, since] = [textOrNull(row, 'host'), textOrNull(row, 'since')]
  const facts = [`PostgreSQL session ${pid}`, host && `from ${host}`, since && `since ${since}`]
    .filter(Boolean)
    .join(' ')
  return {
    holder: `It is ${facts}; if its host is gone, that session ends within half a minute, and at once by SELECT pg_terminate_backend(${pid}).`,
    holderMode: text(row, 'mode') === 'ShareLock' ? 'shared' : 'alone',
  }
}

interface ServerLock {
  claim(mode: ServerMode, onLost: () => void): Promise<ServerClaim>
  close(): Promise<void>
}

/** The lock ends with its session: a restart of the database or a broken connection releases it. */
export const createServerLock = (
  connect: (applicationName: string) => Promise<pg.Client>,
  timeoutMs: number,
): ServerLock => {
  // If a connection breaks unnoticed, PostgreSQL keeps the lock for our lost session. This unique name finds and ends it.
  const name = `kaikei server ${randomBytes(8).toString('hex')}`
  const takeBack = (mode: ServerMode): string => `SET lock_timeout = ${timeoutMs};
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${name}' AND pid <> pg_backend_pid();
    SELECT pg_advisory_lock${SUFFIX[mode]}(${SERVER_LOCK})`

  let held: pg.Client | undefined
  let waiting: pg.Client | undefined
  let isClosing = false

  const hold = (client: pg.Client, mode: ServerMode, onLost: () => void): void => {
    held = client
    client.once('end', () => {
      held = undefined
      reclaim(mode, onLost, 0)
    })
  }

  const claim = async (mode: ServerMode, onLost: () => void): Promise<ServerClaim> => {
    if (held !== undefined) return { isOurs: true }
    const client = await connect(name)
    try {
      const tried = `SELECT pg_try_advisory_lock${SUFFIX[mode]}($1) AS taken`
      const { rows } = await client.query<Row>(tried, [SERVER_LOCK])
      if (rows[0]?.['taken'] === true) {
        hold(client, mode, onLost)
        return { isOurs: true }
      }
      return { isOurs: false, ...(await holderOf(client)) }
    } finally {
      if (held !== client) await client.end()
    }
  }

  /** Waits in the queue of the lock, so a server that starts meanwhile and only tries does not get it first. */
  const waitForIt = async (mode: ServerMode, onLost: () => void): Promise<void> => {
    const client = await connect(name)
    waiting = client
    try {
      await client.query(takeBack(mode))
      if (!isClosing) hold(client, mode, onLost)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
      if (!isClosing) onLost()
    } finally {
      waiting = undefined
      if (held !== client) await client.end()
    }
  }

  const reclaim = (mode: ServerMode, onLost: () => void, afterMs: number): void => {
    const timer = setTimeout(() => {
      if (!isClosing) waitForIt(mode, onLost).catch(() => reclaim(mode, onLost, AGAIN_MS))
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
