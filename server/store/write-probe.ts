/** Write probe: whether the database takes a write. A full disk and a read-only replica answer readings and refuse this. */
import type { Database } from './database.ts'

/** A row that is always there, written back as it was. */
const PROBE =
  'UPDATE migrations SET applied_at = applied_at WHERE name = (SELECT MIN(name) FROM migrations) RETURNING name'

export const takesWrites = async (database: Pick<Database, 'transact'>): Promise<boolean> => {
  try {
    return (await database.transact((sql) => sql.rows(PROBE))).length === 1
  } catch {
    return false
  }
}
