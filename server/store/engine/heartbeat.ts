/** Heartbeat in the database: one row that every process writes anew, which shows that writes are taken and what time it is. */
import type { Instant } from '#contract/jst.ts'
import { isFollowed } from '#payment/clock.ts'
import type { Database, Sql } from './database.ts'
import { integerOrNull } from './columns.ts'

/** What the clocks of a process say. */
export interface BeatClock {
  /** By which payments go. */
  now(): Instant
  /** What the machine says. */
  wall(): Instant
}

const BEAT = `INSERT INTO heartbeat (id, beats, at, wall_at, filler) VALUES (1, 1, $1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET beats = heartbeat.beats + 1, at = excluded.at, wall_at = excluded.wall_at,
    filler = excluded.filler
  RETURNING beats`

/** `filler` needs as much room as it is long. Throws what the database says. */
export const beat = async (
  database: Pick<Database, 'transact'>,
  { now, wall }: BeatClock,
  filler: string,
): Promise<void> => {
  await database.transact((sql) => sql.rows(BEAT, now(), wall(), filler))
}

const BEAT_WITHOUT_TIME = `INSERT INTO heartbeat (id, beats, filler) VALUES (1, 1, '')
  ON CONFLICT (id) DO UPDATE SET beats = heartbeat.beats + 1 RETURNING beats`

/** For a command, whose own clock nobody has compared with anything: the stored times stay as they are. */
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

/** A small table, so that no index is needed. */
const KEY_LAST_USED = 'SELECT MAX(last_used_at) AS newest FROM api_keys'

/** The newest time that was stored: of the heartbeat, or, before the first one, of a call with a key. Null: of neither. */
export const newestStoredTime = async (sql: Pick<Sql, 'rows'>): Promise<Instant | null> => {
  const { at } = await readStoredTimes(sql)
  if (at !== null) return at
  const [row = {}] = await sql.rows(KEY_LAST_USED)
  return integerOrNull(row, 'newest')
}

/** An operator says that it is this time. A process that starts later begins with it, too. */
export const confirmTime = async (sql: Pick<Sql, 'rows'>, now: Instant): Promise<void> => {
  await sql.rows(
    `INSERT INTO heartbeat (id, beats, at, wall_at, confirmed_at, filler) VALUES (1, 1, $1, $1, $1, '')
     ON CONFLICT (id) DO UPDATE SET beats = heartbeat.beats + 1, at = excluded.at, wall_at = excluded.wall_at,
       confirmed_at = excluded.confirmed_at
     RETURNING beats`,
    now,
  )
}
