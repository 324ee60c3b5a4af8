/** Changes in batches: old rows are deleted or changed a few at a time, each batch found by an index. */
import type { Sql, SqlValue } from './database.ts'

/** SQLite needs about ten milliseconds for this many rows with their indexes; meanwhile the process serves nobody. */
export const BATCH_ROWS = 100

export interface BatchedChange {
  readonly table: string
  readonly key: readonly string[]
  /** The condition that finds the rows. After the change a row must not fulfil it any more. */
  readonly where: string
  readonly order: string
  /** Its parameters follow those of `where` and the number of rows. */
  readonly change: 'DELETE' | `SET ${string}`
  /** Leaves rows that another transaction has locked for the next batch. */
  readonly skipsLocked?: boolean
}

/** Changes the next rows; true when there may be more. It selects first: a DELETE takes SQLite's lock even if no row matches. */
export const changeNextBatch = async (
  sql: Sql,
  { table, key, where, order, change, skipsLocked = false }: BatchedChange,
  values: readonly SqlValue[],
  changeValues: readonly SqlValue[] = [],
): Promise<boolean> => {
  const keys = key.join(', ')
  const found = `SELECT ${keys} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT $${values.length + 1}`
  if ((await sql.rows(found, ...values, 1)).length === 0) return false
  const changed = await sql.rows(
    `${change === 'DELETE' ? `DELETE FROM ${table}` : `UPDATE ${table} ${change}`}
     WHERE (${keys}) IN (${found} ${skipsLocked ? sql.skipLocked : ''}) RETURNING ${keys}`,
    ...values,
    BATCH_ROWS,
    ...changeValues,
  )
  return changed.length === BATCH_ROWS
}
