/** Heartbeat: one row that every process updates. It shows that the database accepts writes, and keeps the time. */
import type { Instant } from '#contract/jst.ts'
import { isFollowed } from '#payment/clock.ts'
import type { Database, Sql } from './database.ts'
import { integerOrNull } from './columns.ts'

/** The clocks of a process. */
export interface BeatClock {
  /** The time that payments use. */
  now(): Instant
  /** The time of the machine. */
  wall(): Instant
}

const BEAT = `INSERT INTO heartbeat (id, beats, at, wall_at, filler) VALUES (1, 1, $1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET beats = heartbeat.beats + 1, at = excluded.at, wall_at = excluded.wall_at,
    filler = excluded.filler
  RETURNING beats`

/** `filler` takes up room on the disk, to test for it. Throws the error of the database. */
export const beat = async (
  database: Pick<Database, 'transact'>,
  { now, wall }: BeatClock,
  filler: string,
): Promise<void> => {
  await database.transact((sql) => sql.rows(BEAT, now(), wall(), filler))
}

const BEAT_WITHOUT_TIME = `INSERT INTO heartbeat (id, beats, filler) VALUES (1, 1, '')
  ON CONFLICT (id) DO UPDATE SET beats = heartbeat.beats + 1 RETURNING beats`

/** For a command, whose clock was not checked: the stored times stay as they are. */
export const takesOneWrite = async (database: Pick<Database, 'transact'>): Promise<boolean> => {
  try {
    return (await database.transact((sql) => sql.rows(BEAT_WITHOUT_TIME))).length === 1
  } catch {
    return false
  }
}

export interface StoredTimes {
  readonly at: Instant | null
  readonly wallAt: Instant | null
  readonly confirmedAt: Instant | null
}

export const readStoredTimes = async ({ rows }: Pick<Sql, 'rows'>): Promise<StoredTimes> => {
  const [row] = await rows('SELECT at, wall_at, confirmed_at FROM heartbeat WHERE id = 1')
  return row === undefined
    ? { at: null, wallAt: null, confirmedAt: null }
    : {
        at: integerOrNull(row, 'at'),
        wallAt: integerOrNull(row, 'wall_at'),
        confirmedAt: integerOrNull(row, 'confirmed_at'),
      }
}

/** Whether the process that wrote last follows the clock of its machine. */
export const isLastClockFollowed = ({ at, wallAt }: StoredTimes): boolean =>
  at === null || wallAt === null || isFollowed(wallAt, at)

/** The table is small, so it needs no index. */
const KEY_LAST_USED = 'SELECT MAX(last_used_at) AS newest FROM api_keys'

/** The newest stored time: of the heartbeat or, before the first one, of the last use of a key. Null: there is none. */
export const newestStoredTime = async (sql: Pick<Sql, 'rows'>): Promise<Instant | null> => {
  const { at } = await readStoredTimes(sql)
  if (at !== null) return at
  const [row = {}] = await sql.rows(KEY_LAST_USED)
  return integerOrNull(row, 'newest')
}

/** Stores the time that an operator has confirmed. Processes that start later use it too. */
export const confirmTime = async (sql: Pick<Sql, 'rows'>, now: Instant): Promise<void> => {
  await sql.rows(
    `INSERT INTO heartbeat (id, beats, at, wall_at, confirmed_at, filler) VALUES (1, 1, $1, $1, $1, '')
     ON CONFLICT (id) DO UPDATE SET beats = heartbeat.beats + 1, at = excluded.at, wall_at = excluded.wall_at,
       confirmed_at = excluded.confirmed_at
     RETURNING beats`,
    now,
  )
}
