/** Database comparison: the rows of all tables as texts, and outcomes in a shape that is the same on both engines. */
import { messageOf } from '../../server/log.ts'
import { Conflict, type Database } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'

const OF_CHECKOUT = 'checkout_id = $1'

/**
 * All tables but `migrations`, those with foreign keys first so that they can be emptied in order; each with the condition
 * for its rows of one checkout. Null: its rows belong to no checkout.
 */
const CONDITIONS: Readonly<Record<string, string | null>> = {
  audit_lines: null,
  person_mails: null,
  person_links: null,
  person_sessions: null,
  passkey_challenges: null,
  passkeys: null,
  memberships: null,
  people: null,
  day_figures_late: OF_CHECKOUT,
  day_figures_progress: null,
  day_figures: null,
  reconciliations: null,
  authentications: 'order_code IN (SELECT order_code FROM attempts WHERE checkout_id = $1)',
  attempts: OF_CHECKOUT,
  refunds: OF_CHECKOUT,
  disputes: OF_CHECKOUT,
  ledger_lines: OF_CHECKOUT,
  outbox: OF_CHECKOUT,
  events: OF_CHECKOUT,
  forgotten_events: null,
  endpoint_notices: null,
  delivery_tries: null,
  deliveries: null,
  webhook_endpoints: null,
  mails: OF_CHECKOUT,
  changes: OF_CHECKOUT,
  checkouts: 'id = $1',
  cancelled_openings: OF_CHECKOUT,
  reusable_links: null,
  api_keys: null,
  acquirer_accounts: null,
  pictures: null,
  merchants: null,
  card_questions: null,
  shop_hours: null,
  secret_key_check: null,
  idempotency_keys: null,
  restores: null,
  uncompacted_erasures: null,
  heartbeat: null,
  mail_addresses: null,
  mail_counts: null,
  notification_hours: null,
  acquirer_notifications: null,
  page_assets: null,
  set_aside: null,
}

export const TABLES = Object.keys(CONDITIONS)

export type DumpedRows = Readonly<Record<string, readonly string[]>>

/** All rows as text, sorted so that both engines give the same order; of one checkout, or of all. */
export const dumpRows = async (database: Database, checkoutId: string | null = null): Promise<DumpedRows> => {
  const tables: [string, string[]][] = []
  for (const [table, condition] of Object.entries(CONDITIONS)) {
    if (checkoutId !== null && condition === null) continue
    const rows = await (checkoutId === null
      ? database.rows(`SELECT * FROM ${table}`)
      : database.rows(`SELECT * FROM ${table} WHERE ${condition}`, checkoutId))
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
