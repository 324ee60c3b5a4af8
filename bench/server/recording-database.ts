/** Recording database: notes what the store sends while somebody asks for it. Statements are counted here, at the port. */
import type { Database, Sql, SqlValue } from '../../server/store/database.ts'

export type StoreEvent =
  | { readonly kind: 'begin' }
  | { readonly kind: 'commit' }
  | { readonly kind: 'statement'; readonly text: string; readonly values: readonly SqlValue[] }
  | { readonly kind: 'lock names'; readonly names: readonly string[] }

export interface Recording {
  readonly database: Database
  start(): void
  /** What was sent since `start`. */
  stop(): StoreEvent[]
}

export const recordDatabase = (database: Database): Recording => {
  let events: StoreEvent[] | null = null
  const noted = (sql: Sql): Sql => ({
    passingOverHeld: sql.passingOverHeld,
    rows: (text, ...values) => {
      events?.push({ kind: 'statement', text, values })
      return sql.rows(text, ...values)
    },
    lockNames: (...names) => {
      events?.push({ kind: 'lock names', names })
      return sql.lockNames(...names)
    },
  })
  return {
    database: {
      ...database,
      ...noted(database),
      transact: (work) =>
        database.transact(async (sql) => {
          events?.push({ kind: 'begin' })
          const result = await work(noted(sql))
          events?.push({ kind: 'commit' })
          return result
        }),
    },
    start: () => {
      events = []
    },
    stop: () => {
      const sent = events ?? []
      events = null
      return sent
    },
  }
}

/** Names that are locked are one statement too; BEGIN and COMMIT are counted as a transaction. */
export const countStatements = (events: readonly StoreEvent[]): number =>
  events.filter(({ kind }) => kind === 'statement' || kind === 'lock names').length

export const countTransactions = (events: readonly StoreEvent[]): number =>
  events.filter(({ kind }) => kind === 'begin').length
