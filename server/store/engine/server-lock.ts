/**
 * Server lock on PostgreSQL: a database has one server that holds cards in its memory, or any number that share their card
 * hold, and never both. Workers hold a lock of their own, so that whoever migrates sees the release of each of them.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { releaseNumber } from '../../config/release.ts'
import type { ClaimMode, Row, ServerClaim } from './database.ts'
import { integer, text, textOrNull } from './columns.ts'

const SERVER_LOCK = 0x6b61696c
const WORKER_LOCK = 0x6b61696d
const AGAIN_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

const LOCKS: Readonly<Record<ClaimMode, { readonly number: number; readonly suffix: string }>> = {
  alone: { number: SERVER_LOCK, suffix: '' },
  shared: { number: SERVER_LOCK, suffix: '_shared' },
  worker: { number: WORKER_LOCK, suffix: '_shared' },
}

const HOLDERS = `SELECT holder.pid, holder.application_name, pg_locks.mode, pg_locks.objid = ${WORKER_LOCK} AS is_worker, host(holder.client_addr) AS host,
    to_char(holder.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since
  FROM pg_locks JOIN pg_stat_activity AS holder ON holder.pid = pg_locks.pid
  WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid IN (${SERVER_LOCK}, ${WORKER_LOCK}) AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ORDER BY holder.pid`

/** A server or a worker that runs on this database, of this release or another. */
export interface LockHolder {
  readonly mode: ClaimMode
  /** As it is written in the name of its session; empty for a release that wrote none. */
  readonly release: string
  /** The name of its session. */
  readonly name: string
  /** Which session it is, and how to end it. */
  readonly words: string
}

const RELEASE_IN_NAME = /^kaikei (?:server|worker) (\d+\.\d+\.\d+) /

const holderFromRow = (row: Row): LockHolder => {
  const pid = integer(row, 'pid')
  const name = textOrNull(row, 'application_name') ?? ''
  // Of a session of another role PostgreSQL shows its number alone.
  const [host, since] = [textOrNull(row, 'host'), textOrNull(row, 'since')]
  const facts = [`PostgreSQL session ${pid}`, host && `from ${host}`, since && `since ${since}`]
    .filter(Boolean)
    .join(' ')
  const serverMode = text(row, 'mode') === 'ShareLock' ? 'shared' : 'alone'
  return {
    mode: row['is_worker'] === true ? 'worker' : serverMode,
    release: RELEASE_IN_NAME.exec(name)?.[1] ?? '',
    name,
    words: `${facts}; if its host is gone, that session ends within half a minute, and at once by SELECT pg_terminate_backend(${pid})`,
  }
}

/** All that hold a lock on the database of this client. */
export const readHolders = async (client: pg.ClientBase): Promise<LockHolder[]> =>
  (await client.query<Row>(HOLDERS)).rows.map(holderFromRow)

const refusalOf = async (client: pg.Client): Promise<Extract<ServerClaim, { isOurs: false }>> => {
  for (const { mode, words } of await readHolders(client))
    if (mode !== 'worker') return { isOurs: false, holder: `It is ${words}.`, holderMode: mode }
  return { isOurs: false, holder: 'It has just let go.', holderMode: 'alone' }
}

interface ServerLock {
  /** The names of this process's own sessions begin so. */
  isOwn(holder: LockHolder): boolean
  claim(mode: ClaimMode, onLost: () => void): Promise<ServerClaim>
  close(): Promise<void>
}

/** What this process has claimed: its session, or none while the connection is lost. */
interface Claim {
  mode: ClaimMode
  readonly onLost: () => void
  session: pg.Client | undefined
}

/** The lock ends with its session: a restart of the database or a broken connection releases it. */
export const createServerLock = (
  connect: (applicationName: string) => Promise<pg.Client>,
  timeoutMs: number,
): ServerLock => {
  // If a connection breaks unnoticed, PostgreSQL keeps the lock for our lost session. This unique name finds and ends it.
  const [release, unique] = [releaseNumber(), randomBytes(8).toString('hex')]
  const nameOf = (mode: ClaimMode): string => `kaikei ${mode === 'worker' ? 'worker' : 'server'} ${release} ${unique}`
  const takeBack = (mode: ClaimMode): string => `SET lock_timeout = ${timeoutMs};
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${nameOf(mode)}' AND pid <> pg_backend_pid();
    SELECT pg_advisory_lock${LOCKS[mode].suffix}(${LOCKS[mode].number})`

  let ours: Claim | undefined
  let waiting: pg.Client | undefined
  let isClosing = false

  const hold = (claimed: Claim, client: pg.Client): void => {
    claimed.session = client
    client.once('end', () => {
      if (claimed.session !== client) return
      claimed.session = undefined
      reclaim(claimed, 0)
    })
  }

  const tryLock = async (client: pg.Client, mode: ClaimMode): Promise<boolean> => {
    const { number, suffix } = LOCKS[mode]
    const { rows } = await client.query<Row>(`SELECT pg_try_advisory_lock${suffix}($1) AS taken`, [number])
    return rows[0]?.['taken'] === true
  }

  const claimAnew = async (mode: ClaimMode, onLost: () => void): Promise<ServerClaim> => {
    const client = await connect(nameOf(mode))
    try {
      if (!(await tryLock(client, mode))) return await refusalOf(client)
      ours = { mode, onLost, session: undefined }
      hold(ours, client)
      return { isOurs: true }
    } finally {
      if (ours?.session !== client) await client.end()
    }
  }

  /** A session may hold a lock in both modes, so it takes the new one before it lets go of the other. */
  const changeMode = async (claimed: Claim, client: pg.Client, mode: ClaimMode): Promise<ServerClaim> => {
    if (await tryLock(client, mode)) {
      const { number, suffix } = LOCKS[claimed.mode]
      claimed.mode = mode
      await client.query(`SELECT pg_advisory_unlock${suffix}($1)`, [number])
      return { isOurs: true }
    }
    // Two that each kept their share and waited for the other's would wait for ever.
    const refusal = await refusalOf(client)
    claimed.session = undefined
    ours = undefined
    await client.end()
    return refusal
  }

  const claim = async (mode: ClaimMode, onLost: () => void): Promise<ServerClaim> => {
    if (ours === undefined) return claimAnew(mode, onLost)
    if (ours.mode === mode) return { isOurs: true }
    if (ours.session !== undefined) return changeMode(ours, ours.session, mode)
    // Its session is lost and is being taken back. Nobody can say whether another server holds the lock meanwhile.
    if (mode === 'alone')
      return { isOurs: false, holder: 'The connection to the database is lost.', holderMode: 'shared' }
    ours.mode = mode
    return { isOurs: true }
  }

  /** Waits in the queue of the lock, so a server that starts meanwhile and only tries does not get it first. */
  const waitForIt = async (claimed: Claim): Promise<void> => {
    const { mode, onLost } = claimed
    const client = await connect(nameOf(mode))
    waiting = client
    try {
      await client.query(takeBack(mode))
      if (claimed.mode !== mode) throw new Error('the mode was changed meanwhile')
      if (!isClosing) hold(claimed, client)
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error
      if (!isClosing) onLost()
    } finally {
      waiting = undefined
      if (claimed.session !== client) await client.end()
    }
  }

  const reclaim = (claimed: Claim, afterMs: number): void => {
    const timer = setTimeout(() => {
      if (!isClosing) waitForIt(claimed).catch(() => reclaim(claimed, AGAIN_MS))
    }, afterMs)
    timer.unref()
  }

  return {
    isOwn: ({ name }) => name.endsWith(unique),
    claim,
    close: async () => {
      isClosing = true
      await Promise.all([ours?.session?.end(), waiting?.end()])
    },
  }
}
