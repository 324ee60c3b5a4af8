/** Scans: whether a database reads a whole table for a list or for figures, by its own plan. */
import { countedDatabase } from '../harness/counted-database.ts'
import type { BenchDatabase } from '../filled-database/bench-database.ts'
import type { Engine } from '../filled-database/copy-checkout.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { text } from '../../server/store/engine/columns.ts'

/** The plan for any values, as it is made for tables of this size. */
const planOf: Readonly<Record<Engine, (database: Database, statement: string) => Promise<string[]>>> = {
  SQLite: async (database, statement) =>
    (await database.rows(`EXPLAIN QUERY PLAN ${statement}`)).map((row) => text(row, 'detail')),
  PostgreSQL: (database, statement) =>
    database.transact(async (sql) => {
      const marks = [...statement.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
      const values = Array.from({ length: Math.max(0, ...marks) }, () => 'NULL').join()
      await sql.rows('SET LOCAL plan_cache_mode = force_generic_plan')
      await sql.rows(`PREPARE explained AS ${statement}`)
      const plan = await sql.rows(`EXPLAIN EXECUTE explained(${values})`)
      await sql.rows('DEALLOCATE explained')
      return plan.map((row) => text(row, 'QUERY PLAN'))
    }),
}

/** Names of subqueries are not tables. PostgreSQL may read all of a table that has a page or two, such as refunds. */
const isScan = (step: string): boolean =>
  /Seq Scan on (checkouts|attempts|ledger_lines)|^SCAN (checkouts|attempts|refunds|ledger_lines)\b(?!.*USING)/.test(
    step,
  )

/** The step of a plan of this work that reads a whole table; undefined: none does. */
export const scanIn = async (
  bench: BenchDatabase,
  work: (database: Database) => Promise<void>,
): Promise<string | undefined> => {
  const database: Database = await bench.open()
  try {
    const counted = countedDatabase(database)
    await work(counted)
    for (const statement of counted.takeTexts()) {
      const scan = (await planOf[bench.engine](database, statement)).find(isScan)
      if (scan !== undefined) return scan
    }
    return undefined
  } finally {
    await database.close()
  }
}
