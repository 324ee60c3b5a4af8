/** Page counter: how many pages of its tables and indexes a database looks at for one request, on one connection that stays open. */
import { readFileSync } from 'node:fs'
import { integer } from '../../server/store/engine/columns.ts'
import type { Database, Sql } from '../../server/store/engine/database.ts'
import { CannotRunHere } from '../../tools/command-error.mjs'
import type { BenchDatabase } from './bench-database.ts'
import type { Engine } from './copy-checkout.ts'

const IO = '/proc/self/io'

/** Bytes that this process has read so far, from the disk or from the system's cache of it. */
export const bytesRead = (): number => {
  try {
    return Number(/^rchar: (\d+)$/m.exec(readFileSync(IO, 'utf8'))?.[1])
  } catch {
    throw new CannotRunHere(`the pages that SQLite reads are counted by ${IO}, which only Linux has`)
  }
}

/** Without a cache, without a map of the file, every page that SQLite looks at is read from the file. */
export const withoutCache = async (database: Database): Promise<number> => {
  for (const setting of ['cache_size = 0', 'mmap_size = 0', 'wal_autocheckpoint = 0'])
    await database.rows(`PRAGMA ${setting}`)
  const [row = {}] = await database.rows('PRAGMA page_size')
  return integer(row, 'page_size')
}

/** Of this transaction, in memory or not; the catalogue is not counted. */
const FETCHED = `SELECT CAST(SUM(pg_stat_get_xact_blocks_fetched(oid)) AS BIGINT) AS pages FROM pg_class
  WHERE relkind IN ('r', 'i', 't') AND relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace)`

/** PostgreSQL plans a statement for its values, and after five times perhaps for any values. */
const PLANS: Readonly<Record<Engine, readonly string[]>> = {
  SQLite: ['of any values'],
  PostgreSQL: ['force_custom_plan', 'force_generic_plan'],
}

/** A connection is asked one thing at a time. */
const oneByOne = (sql: Sql): Sql => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    ...sql,
    rows: (statement, ...values) => {
      const answer = last.then(() => sql.rows(statement, ...values))
      last = answer.catch(() => undefined)
      return answer
    },
  }
}

export interface PageCounter {
  /** Of the server whose requests are counted. */
  readonly database: Database
  /** The most that this work looks at, by any plan of its statements. What it writes is stored. */
  pagesOf(work: () => Promise<void>): Promise<number>
  close(): Promise<void>
}

/** While work is counted, all its statements run in one transaction: only there PostgreSQL tells what was read. */
export const openPageCounter = async (bench: BenchDatabase): Promise<PageCounter> => {
  const database = await bench.open()
  const pageBytes = bench.engine === 'SQLite' ? await withoutCache(database) : 0
  let counted: Sql | null = null
  const pagesSoFar = async (sql: Sql): Promise<number> =>
    bench.engine === 'SQLite' ? bytesRead() / pageBytes : integer((await sql.rows(FETCHED))[0] ?? {}, 'pages')
  const pagesBy = (plan: string, work: () => Promise<void>): Promise<number> =>
    database.transact(async (sql) => {
      if (bench.engine === 'PostgreSQL') await sql.rows("SELECT set_config('plan_cache_mode', $1, true)", plan)
      const before = await pagesSoFar(sql)
      counted = oneByOne(sql)
      try {
        await work()
      } finally {
        counted = null
      }
      return (await pagesSoFar(sql)) - before
    })
  return {
    database: {
      ...database,
      rows: (statement, ...values) => (counted ?? database).rows(statement, ...values),
      writeAll: (writes) => (counted ?? database).writeAll(writes),
      transact: (work) => (counted === null ? database.transact(work) : work(counted)),
    },
    pagesOf: async (work) => {
      const pages: number[] = []
      for (const plan of PLANS[bench.engine]) pages.push(await pagesBy(plan, work))
      return Math.max(...pages)
    },
    close: () => database.close(),
  }
}
