/** Restores in the database: that it was restored from a backup, and whether it was compared with the acquirer since. */
import type { Instant } from '#contract/jst.ts'
import { integer, type Sql, type Write } from './database.ts'

export interface Restore {
  readonly restoredAt: Instant
  /** What was acknowledged before that is in the backup. */
  readonly takenAt: Instant
}

export const restoreWrite = ({ restoredAt, takenAt }: Restore): Write => ({
  text: 'INSERT INTO restores (restored_at, taken_at) VALUES ($1, $2)',
  values: [restoredAt, takenAt],
})

/** The restore after which no payment may be taken yet; null: there is none. */
export const unsettledRestore = async (sql: Sql): Promise<Restore | null> => {
  const [row] = await sql.rows(
    'SELECT restored_at, taken_at FROM restores WHERE settled_at IS NULL ORDER BY taken_at LIMIT 1',
  )
  return row === undefined ? null : { restoredAt: integer(row, 'restored_at'), takenAt: integer(row, 'taken_at') }
}

export const restoresSettled = async (sql: Sql, now: Instant): Promise<void> => {
  await sql.rows('UPDATE restores SET settled_at = $1 WHERE settled_at IS NULL', now)
}
