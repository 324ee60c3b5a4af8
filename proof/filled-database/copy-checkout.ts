/** Copies of a checkout: many more like one that the real operations have written, made inside the database by SQL. */
import type { Database, Row } from '../../server/store/engine/database.ts'

export type Engine = 'SQLite' | 'PostgreSQL'

/** By table, by column. */
export type ColumnsOfCopies = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Copying {
  readonly merchantId: string
  readonly checkoutId: string
  readonly copies: number
  /** What a column of the copies holds instead: an expression of the template's row `t` and the number `c.n` of the copy. */
  readonly columns?: ColumnsOfCopies
  /** How much later each copy was made than the one before; negative: earlier. A millisecond by default. */
  readonly stepMs?: number
}

const OF_CHECKOUT = 'checkout_id = $2'
const OF_ITS_ATTEMPTS = 'order_code IN (SELECT order_code FROM attempts WHERE checkout_id = $2)'
const OF_ITS_EVENTS = 'event_id IN (SELECT id FROM events WHERE checkout_id = $2)'

/** Tables with rows of a checkout, each after those that it refers to, and which rows of the merchant these are. */
const TABLES = [
  { table: 'checkouts', rows: 'id = $2' },
  { table: 'attempts', rows: OF_CHECKOUT },
  { table: 'authentications', rows: OF_ITS_ATTEMPTS },
  { table: 'refunds', rows: OF_CHECKOUT },
  { table: 'ledger_lines', rows: OF_CHECKOUT },
  { table: 'events', rows: OF_CHECKOUT },
  { table: 'deliveries', rows: OF_ITS_EVENTS },
  { table: 'delivery_tries', rows: OF_ITS_EVENTS },
  { table: 'mails', rows: OF_CHECKOUT },
  { table: 'changes', rows: OF_CHECKOUT },
] as const

/** Instants are epoch milliseconds: larger than any amount, number or version. */
export const INSTANT_MIN = 1e12

/** A text as an SQL literal: our own ids and what our own operations wrote. */
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** 32 letters and digits like our ids, unlike each other, in no order. `salt` keeps two columns apart. */
export const randomId = (engine: Engine, salt: string): string =>
  engine === 'PostgreSQL'
    ? `translate(md5(random()::text || ${literal(salt)} || n), '0189', 'wxyz')`
    : "replace(replace(replace(replace(lower(hex(randomblob(16))), '0', 'w'), '1', 'x'), '8', 'y'), '9', 'z')"

export const numbers = (engine: Engine, copies: number): string =>
  engine === 'PostgreSQL'
    ? `SELECT n FROM generate_series(1, ${copies}) AS n`
    : `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${copies}) SELECT n FROM counted`

/** What a copy has in place of each id of its template: the id's own column of `bench_copies`. */
export type NewIds = ReadonlyMap<string, string>

/** A column of a copy: ids replaced wherever they stand in a text, and instants later by one step each: beyond four bytes for PostgreSQL. */
export const columnOfCopy = (value: unknown, name: string, newIds: NewIds, stepMs = 1): string => {
  if (typeof value === 'number' && value > INSTANT_MIN) return `t.${name} + c.n * CAST(${stepMs} AS BIGINT)`
  if (typeof value !== 'string') return `t.${name}`
  const found = [...newIds].filter(([id]) => value.includes(id))
  return found.reduce((column, [id, column2]) => `replace(${column}, ${literal(id)}, c.${column2})`, `t.${name}`)
}

/** The condition that finds this row again. */
export const same = (row: Row): string =>
  Object.entries(row)
    .map(([name, value]) => {
      if (typeof value === 'number') return `t.${name} = ${value}`
      return typeof value === 'string' ? `t.${name} = ${literal(value)}` : `t.${name} IS NULL`
    })
    .join(' AND ')

const copyStatement = (table: string, row: Row, newIds: NewIds, { columns: own = {}, stepMs }: Copying): string => {
  const columns = Object.keys(row)
  const copied = Object.entries(row).map(
    ([name, value]) => own[table]?.[name] ?? columnOfCopy(value, name, newIds, stepMs),
  )
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${copied.join(', ')} FROM ${table} t, bench_copies c WHERE ${same(row)}`
}

/** All rows of a checkout, by table. */
export const rowsOf = (database: Database, { merchantId, checkoutId }: Omit<Copying, 'copies'>) =>
  Promise.all(
    TABLES.map(async ({ table, rows }) => ({
      table,
      rows: await database.rows(`SELECT * FROM ${table} WHERE merchant_id = $1 AND ${rows}`, merchantId, checkoutId),
    })),
  )

/** Ids that no two copies may share: of the checkout, of its attempts, and of their 3-D Secure sessions. */
const idsIn = (tables: Awaited<ReturnType<typeof rowsOf>>): string[] =>
  ['id', 'order_code', 'ticket', 'check_code'].flatMap((column) =>
    tables.flatMap(({ table, rows }) =>
      table === 'mails' ? [] : rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column]] : [])),
    ),
  )

/** Copies one checkout with all its rows, and answers the ids of the copies. */
export const copyCheckout = async (database: Database, engine: Engine, copying: Copying): Promise<string[]> => {
  const tables = await rowsOf(database, copying)
  const ids = [...new Set([copying.checkoutId, ...idsIn(tables)])]
  const newIds = new Map(ids.map((id, place) => [id, `id${place}`]))
  const columns = ids.map((_id, place) => `${randomId(engine, String(place))} AS id${place}`)
  await database.rows(
    `CREATE TABLE bench_copies AS SELECT n, ${columns.join(', ')} FROM (${numbers(engine, copying.copies)}) AS numbers`,
  )
  for (const { table, rows } of tables)
    for (const row of rows) await database.rows(copyStatement(table, row, newIds, copying))
  const made = await database.rows('SELECT id0 FROM bench_copies ORDER BY n')
  await database.rows('DROP TABLE bench_copies')
  return made.map((row) => String(row['id0']))
}
