/** Count pages: how many pages of its tables and indexes a database looks at, whether they were in memory or not. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../server/store/engine/database.ts'
import { integer } from '../../server/store/engine/columns.ts'
import type { BenchDatabase } from './bench-database.ts'
import { bytesRead, withoutCache } from './page-counter.ts'

type Work = (database: Database) => Promise<void>
type CountPages = (work: Work) => Promise<number>

/**
 * The settings below reach the connection for writes alone, and a transaction runs on it. Reads on the store's other
 * connection would find most of their pages in its cache, and would not be counted.
 */
const onOneConnection = (database: Database): Database => ({
  ...database,
  rows: (statement, ...values) => database.transact((sql) => sql.rows(statement, ...values)),
})

const countOnSqlite =
  (bench: BenchDatabase): CountPages =>
  async (work) => {
    const database = await bench.open()
    try {
      const pageBytes = await withoutCache(database)
      const before = bytesRead()
      await work(onOneConnection(database))
      return (bytesRead() - before) / pageBytes
    } finally {
      await database.close()
    }
  }

const PAGES = `SELECT CAST(SUM(COALESCE(heap_blks_hit, 0) + COALESCE(heap_blks_read, 0) + COALESCE(idx_blks_hit, 0)
  + COALESCE(idx_blks_read, 0) + COALESCE(toast_blks_hit, 0) + COALESCE(toast_blks_read, 0)) AS BIGINT) AS pages
  FROM pg_statio_user_tables`

const OTHER_SESSIONS =
  "SELECT COUNT(*) AS sessions FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"

const numberFrom = async (database: Database, statement: string, column: string): Promise<number> => {
  const [row = {}] = await database.rows(statement)
  return integer(row, column)
}

/** A session publishes its counts at its end at the latest. */
const untilAlone = async (database: Database): Promise<void> => {
  while ((await numberFrom(database, OTHER_SESSIONS, 'sessions')) > 0) await wait(20)
}

const countOnPostgres =
  (bench: BenchDatabase): CountPages =>
  async (work) => {
    const observer = await bench.open()
    try {
      await untilAlone(observer)
      const before = await numberFrom(observer, PAGES, 'pages')
      const database = await bench.open()
      try {
        await work(database)
      } finally {
        await database.close()
      }
      await untilAlone(observer)
      return (await numberFrom(observer, PAGES, 'pages')) - before
    } finally {
      await observer.close()
    }
  }

/** Counts the pages of some work on a connection of its own. */
export const countPagesOn = (bench: BenchDatabase): CountPages =>
  bench.engine === 'SQLite' ? countOnSqlite(bench) : countOnPostgres(bench)
