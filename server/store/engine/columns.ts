/** Columns: each reader checks the type of one column of a row and throws where another type is stored. */
import { parseWellFormed } from '../../parse-json.ts'
import type { Row } from './database.ts'

/** A row holds what this release cannot read. The words hold nothing of the row: they are logged and shown. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow'
}

const wrong = (column: string, wanted: string, value: unknown): UnreadableRow =>
  new UnreadableRow(`column ${column} holds ${value === null ? 'null' : typeof value}, not ${wanted}`)

/** Hears of each row that cannot be read. */
export type OnUnreadable = (row: Row, error: UnreadableRow) => void

const throwIt: OnUnreadable = (_row, error) => {
  throw error
}

/** Row by row: one that cannot be read is told of and left out, so that it holds up no other. */
export const readEach = <T>(rows: readonly Row[], read: (row: Row) => T, onUnreadable = throwIt): T[] =>
  rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error
      onUnreadable(row, error)
      return []
    }
  })

export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== 'string') throw wrong(column, 'text', value)
  return value
}

export const integer = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(column, 'an integer', value)
  return value
}

export const textOrNull = (row: Row, column: string): string | null => (row[column] === null ? null : text(row, column))

export const integerOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column)

export const oneOf = <T extends string>(row: Row, column: string, isMember: (value: string) => value is T): T => {
  const value = text(row, column)
  if (!isMember(value)) throw wrong(column, 'a known word', value)
  return value
}

/** Columns of a table in a join, under a prefix: the reader of their rows takes the same prefix. */
export const prefixedColumns = (columns: string, table: string, prefix: string): string =>
  columns
    .split(/,\s+/)
    .map((column) => `${table}.${column} AS ${prefix}${column}`)
    .join(', ')

/** Constant words of ours as a list in a statement. Values from outside are always parameters. */
export const wordList = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ')

/** A compiled schema: every row that is read is checked, so the check must be cheap. */
interface Shape<T> {
  Check(value: unknown): value is T
}

/** `upgrade` turns JSON of an earlier release into that of this release. */
export const json = <T>(
  row: Row,
  column: string,
  shape: Shape<T>,
  upgrade: (stored: unknown) => unknown = (stored) => stored,
): T => {
  const stored = text(row, column)
  let value: unknown
  try {
    value = upgrade(parseWellFormed(stored))
  } catch {
    // The words of the error quote the column.
    throw wrong(column, 'JSON of the expected shape', stored)
  }
  if (!shape.Check(value)) throw wrong(column, 'JSON of the expected shape', value)
  return value
}

export const jsonOrNull = <T>(row: Row, column: string, shape: Shape<T>): T | null =>
  row[column] === null ? null : json(row, column, shape)
