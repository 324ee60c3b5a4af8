/** Batches: what is deleted or changed because of its age goes a few rows at a time, each batch by an index. */
import type { Sql, SqlValue } from './database.ts'

/** So many rows with their indexes take SQLite some ten milliseconds, in which it hears nobody. */
export const BATCH_ROWS = 100

export interface Batch {
  readonly table: string
  readonly key: readonly string[]
  /** Which rows, with their parameters. After the change a row must not be among them any more. */
  readonly where: string
  readonly order: string
  /** Its own parameters follow those of `where` and the number of rows. */
  readonly change: 'DELETE' | `SET ${string}`
  /** Rows that another transaction holds are left for the next time, not waited for. */
  readonly passesOverHeld?: boolean
}

/**
 * The next rows; true when there may be more. It looks first: a DELETE takes the lock of SQLite also where there is nothing to
 * delete.
 */
export const changeBatch = async (
  sql: Sql,
  { table, key, where, order, change, passesOverHeld = false }: Batch,
  values: readonly SqlValue[],
  changeValues: readonly SqlValue[] = [],
): Promise<boolean> => {
  const keys = key.join(', ')
  const found = `SELECT ${keys} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT $${values.length + 1}`
  if ((await sql.rows(found, ...values, 1)).length === 0) return false
  const changed = await sql.rows(
    `${change === 'DELETE' ? `DELETE FROM ${table}` : `UPDATE ${table} ${change}`}
     WHERE (${keys}) IN (${found} ${passesOverHeld ? sql.skipLocked : ''}) RETURNING ${keys}`,
    ...values,
    BATCH_ROWS,
    ...changeValues,
  )
  return changed.length === BATCH_ROWS
}
