import { messageOf } from '../../server/log.ts'
import { Conflict, text, type Database, type Row } from '../../server/store/database.ts'

/** Every table there is but `migrations`, those that refer to others first. */
export const TABLES = [
  'authentications',
  'attempts',
  'refunds',
  'ledger_lines',
  'outbox',
  'changes',
  'checkouts',
  'api_keys',
  'merchants',
] as const

type Table = (typeof TABLES)[number]

export type Dump = Readonly<Record<string, readonly string[]>>

const rowsOf = async (database: Database, table: Table, checkoutId: string | null): Promise<Row[]> => {
  if (checkoutId === null) return database.rows(`SELECT * FROM ${table}`)
  switch (table) {
    case 'checkouts':
      return database.rows('SELECT * FROM checkouts WHERE id = $1', checkoutId)
    case 'authentications':
      return database.rows(
        'SELECT * FROM authentications WHERE order_code IN (SELECT order_code FROM attempts WHERE checkout_id = $1)',
        checkoutId,
      )
    case 'merchants':
    case 'api_keys':
      return []
    case 'attempts':
    case 'refunds':
    case 'ledger_lines':
    case 'outbox':
    case 'changes':
      return database.rows(`SELECT * FROM ${table} WHERE checkout_id = $1`, checkoutId)
  }
}

/** All rows as text in an order that no engine has a say in; of one checkout, or of all. */
export const dump = async (database: Database, checkoutId: string | null = null): Promise<Dump> => {
  const tables: [Table, string[]][] = []
  for (const table of TABLES) {
    const rows = await rowsOf(database, table, checkoutId)
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    )
    tables.push([table, lines.toSorted()])
  }
  return Object.fromEntries(tables)
}

export const emptyAll = async (database: Database): Promise<void> => {
  for (const table of TABLES) await database.rows(`DELETE FROM ${table}`)
}

/** SQLite does not say which check or reference was broken. Which unique key it was, both engines say by the same name. */
const conflictName = ({ constraint }: Conflict): string => {
  if (/^CHECK |_check$/.test(constraint)) return 'a check'
  return /^FOREIGN KEY |_fkey$/.test(constraint) ? 'a reference' : constraint
}

/** What came of a piece of work, in a shape that can be compared: its value, a conflict's name, or its error's words. */
export const outcomeOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof Conflict) return { conflict: conflictName(error) }
    return { error: messageOf(error) }
  }
}

export const tableNames = async (sqlite: Database): Promise<string[]> => {
  const rows = await sqlite.rows(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'`)
  return rows.map((row) => text(row, 'name'))
}
