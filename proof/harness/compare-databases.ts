import { messageOf } from '../../server/log.ts'
import { Conflict, type Database, type Row } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'

/** Database comparison: all tables but `migrations`, those with foreign keys first so that they can be emptied in order. */
export const TABLES = [
  'authentications',
  'attempts',
  'refunds',
  'ledger_lines',
  'outbox',
  'events',
  'forgotten_events',
  'endpoint_notices',
  'delivery_tries',
  'deliveries',
  'webhook_endpoints',
  'mails',
  'changes',
  'checkouts',
  'api_keys',
  'pictures',
  'merchants',
  'card_questions',
  'shop_hours',
  'secret_key_check',
  'idempotency_keys',
  'restores',
  'uncompacted_erasures',
  'heartbeat',
  'mail_addresses',
  'mail_counts',
  'notification_hours',
] as const

type Table = (typeof TABLES)[number]

export type DumpedRows = Readonly<Record<string, readonly string[]>>

const selectRows = async (database: Database, table: Table, checkoutId: string | null): Promise<Row[]> => {
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
    case 'card_questions':
    case 'shop_hours':
    case 'secret_key_check':
    case 'idempotency_keys':
    case 'forgotten_events':
    case 'restores':
    case 'uncompacted_erasures':
    case 'heartbeat':
    case 'mail_addresses':
    case 'mail_counts':
    case 'notification_hours':
    case 'pictures':
    case 'webhook_endpoints':
    case 'deliveries':
    case 'delivery_tries':
    case 'endpoint_notices':
      return []
    case 'attempts':
    case 'refunds':
    case 'ledger_lines':
    case 'outbox':
    case 'events':
    case 'mails':
    case 'changes':
      return database.rows(`SELECT * FROM ${table} WHERE checkout_id = $1`, checkoutId)
  }
}

/** All rows as text, sorted so that both engines give the same order; of one checkout, or of all. */
export const dumpRows = async (database: Database, checkoutId: string | null = null): Promise<DumpedRows> => {
  const tables: [Table, string[]][] = []
  for (const table of TABLES) {
    const rows = await selectRows(database, table, checkoutId)
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    )
    tables.push([table, lines.toSorted()])
  }
  return Object.fromEntries(tables)
}

export const deleteAllRows = async (database: Database): Promise<void> => {
  for (const table of TABLES) await database.rows(`DELETE FROM ${table}`)
}

/** SQLite does not name the check or foreign key that failed. Unique keys have the same name on both engines. */
const conflictName = ({ constraint }: Conflict): string => {
  if (/^CHECK |_check$/.test(constraint)) return 'a check'
  return /^FOREIGN KEY |_fkey$/.test(constraint) ? 'a reference' : constraint
}

/** The outcome of an operation in a shape that can be compared: its value, the name of its conflict, or its error message. */
export const comparableOutcome = async (operation: () => Promise<unknown>): Promise<unknown> => {
  try {
    return { value: await operation() }
  } catch (error) {
    if (error instanceof Conflict) return { conflict: conflictName(error) }
    return { error: messageOf(error) }
  }
}

export const sqliteTableNames = async (sqlite: Database): Promise<string[]> => {
  const rows = await sqlite.rows(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'migrations'`)
  return rows.map((row) => text(row, 'name'))
}
