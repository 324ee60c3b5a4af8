/** Counted database: counts every statement that is sent to its engine, and keeps the texts. For tests and benches. */
import type { Database, Sql } from '../../server/store/engine/database.ts'

/** What a database was sent. */
export interface DatabaseCost {
  /** BEGIN and COMMIT included. */
  readonly statements: number
  readonly transactions: number
}

export interface CountedDatabase extends Database {
  /** What was sent since it was last asked. */
  takeCost(): DatabaseCost
  /** The texts of the statements since it was last asked, each once; of writes that are sent as one, each its own. */
  takeTexts(): string[]
}

export const countedDatabase = (database: Database): CountedDatabase => {
  const isSqlite = database.version.startsWith('SQLite')
  const texts = new Set<string>()
  let cost: DatabaseCost = { statements: 0, transactions: 0 }
  const count = (statements: number, transactions = 0): void => {
    cost = { statements: cost.statements + statements, transactions: cost.transactions + transactions }
  }

  const countedSql = (sql: Sql): Sql => ({
    ...sql,
    rows: (text, ...values) => {
      texts.add(text)
      count(1)
      return sql.rows(text, ...values)
    },
    writeAll: (writes) => {
      for (const { text } of writes) texts.add(text)
      // PostgreSQL is sent one statement.
      count(isSqlite ? writes.length : Math.min(writes.length, 1))
      return sql.writeAll(writes)
    },
    lockNames: (...names) => {
      // One connection needs no locks of its own: nothing is sent.
      if (!isSqlite) count(1)
      return sql.lockNames(...names)
    },
  })

  const outside = countedSql(database)
  return {
    ...database,
    ...outside,
    writeAll: (writes) => {
      // SQLite needs a transaction for more than one.
      if (isSqlite && writes.length > 1) count(2, 1)
      return outside.writeAll(writes)
    },
    transact: (work) => {
      count(2, 1)
      return database.transact((sql) => work(countedSql(sql)))
    },
    takeTexts: () => {
      const taken = [...texts]
      texts.clear()
      return taken
    },
    takeCost: () => {
      const taken = cost
      cost = { statements: 0, transactions: 0 }
      return taken
    },
  }
}
