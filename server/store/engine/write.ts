/** Writes: joins many rows into one INSERT, and many writes into one statement. */
import type { SqlValue, Write } from './database.ts'

/** The text of a JSON column that may be null. */
export const jsonText = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

/** One INSERT for all rows; no statement where there are none. `end` follows the rows. */
export const insertRows = (
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  end = '',
): Write[] => {
  if (rows.length === 0) return []
  const marks = rows.map(
    (_row, at) => `(${columns.map((_column, place) => `$${at * columns.length + place + 1}`).join(', ')})`,
  )
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks.join(', ')} ${end}`
  return [{ text: text.trimEnd(), values: rows.flat() }]
}

/** The same with each value beside the name of its column. All records have the same columns, in the same order. */
export const insertRecords = (
  table: string,
  records: readonly Readonly<Record<string, SqlValue>>[],
  end = '',
): Write[] =>
  insertRows(
    table,
    Object.keys(records[0] ?? {}),
    records.map((record) => Object.values(record)),
    end,
  )

/** The marks of rows that a statement reads as a table; the first mark has the number `from`. */
export const valueRows = (rows: readonly (readonly SqlValue[])[], from = 1): string =>
  rows.map((row, at) => `(${row.map((_value, place) => `$${from + at * row.length + place}`).join(', ')})`).join(', ')

const FEW = 4

/**
 * Pads a list with its first item to one of few lengths: 1, 4, 16, 64 … Each length is another prepared statement, and these are
 * kept: without padding they would fill the memory. For statements that may name a row twice.
 */
export const padToFixedSizes = <Item>(items: readonly Item[]): readonly Item[] => {
  const [first] = items
  if (first === undefined) return items
  let length = 1
  while (length < items.length) length *= FEW
  return Array.from({ length }, (_none, place) => items[place] ?? first)
}

const tableOf = (text: string): string => {
  const table = /^(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/.exec(text)?.[1]
  if (table === undefined || /\bSELECT\b/.test(text)) throw new Error(`not a write without a reading: ${text}`)
  return table
}

const checked = new Set<string>()

/**
 * PostgreSQL runs the parts of one statement in any order, and no part sees what another did: a part that reads could see old
 * rows, and of two changes of the same row one would be lost. So no part reads, and each has its own table.
 */
export const assertIndependent = (writes: readonly Write[]): void => {
  const key = writes.map(({ text }) => text).join('; ')
  if (checked.has(key)) return
  const tables = writes.map(({ text }) => tableOf(text))
  if (new Set(tables).size < tables.length) throw new Error(`one table is written twice in one statement: ${key}`)
  checked.add(key)
}

const joined = new Map<string, string>()

/** One statement of PostgreSQL for all writes. The parameters of each follow those of the one before. */
export const joinWrites = (writes: readonly Write[]): Write => {
  const values = writes.flatMap((write) => write.values)
  const key = writes.map(({ text }) => text).join('; ')
  const known = joined.get(key)
  if (known !== undefined) return { text: known, values }
  let before = 0
  const parts = writes.map((write) => {
    const offset = before
    before += write.values.length
    return write.text.replace(/\$(\d+)/g, (_mark, place: string) => `$${Number(place) + offset}`)
  })
  const last = parts.pop() ?? ''
  const text =
    parts.length === 0 ? last : `WITH ${parts.map((part, at) => `part${at} AS (${part})`).join(', ')} ${last}`
  joined.set(key, text)
  return { text, values }
}
