/** Recording database: notes what the store sends while somebody asks for it. Statements are counted here, at the port. */
import type { Database, Sql, SqlValue, Write } from '../../server/store/engine/database.ts'
import { joinWrites } from '../../server/store/engine/write.ts'

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
  const isSqlite = database.version.startsWith('SQLite')
  const note = (...sent: readonly StoreEvent[]): void => void events?.push(...sent)
  /** PostgreSQL is sent one statement, SQLite each of them. */
  const noteWrites = (writes: readonly Write[]): void => {
    if (writes.length === 0) return
    for (const { text, values } of isSqlite ? writes : [joinWrites(writes)]) note({ kind: 'statement', text, values })
  }
  const noted = (sql: Sql): Sql => ({
    coalescesReads: sql.coalescesReads,
    skipLocked: sql.skipLocked,
    forShare: sql.forShare,
    rows: (text, ...values) => {
      note({ kind: 'statement', text, values })
      return sql.rows(text, ...values)
    },
    writeAll: (writes) => {
      noteWrites(writes)
      return sql.writeAll(writes)
    },
    lockNames: (...names) => {
      // One connection needs no locks of its own: SQLite is sent nothing.
      if (!isSqlite) note({ kind: 'lock names', names })
      return sql.lockNames(...names)
    },
  })
  return {
    database: {
      ...database,
      ...noted(database),
      writeAll: (writes) => {
        // Several writes are a transaction of their own on SQLite.
        const isTransaction = isSqlite && writes.length > 1
        if (isTransaction) note({ kind: 'begin' })
        noteWrites(writes)
        if (isTransaction) note({ kind: 'commit' })
        return database.writeAll(writes)
      },
      transact: (work) =>
        database.transact(async (sql) => {
          note({ kind: 'begin' })
          const result = await work(noted(sql))
          note({ kind: 'commit' })
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

/** BEGIN, COMMIT and names that are locked are statements too. */
export const countStatements = (events: readonly StoreEvent[]): number => events.length

export const countTransactions = (events: readonly StoreEvent[]): number =>
  events.filter(({ kind }) => kind === 'begin').length
