/** Page of a list: newest first, from a place in it to the next. */
import type { SqlValue } from './database.ts'

/** Where a page ended: the columns that the list is ordered by, of its last row. */
export type Place = readonly [at: number, ...ids: string[]]

export interface PageRequest {
  /** Null: from the newest. */
  readonly after: Place | null
  readonly limit: number
}

export interface ListPage<T> {
  readonly items: readonly T[]
  /** Null: that was the last page. */
  readonly after: Place | null
}

/** Of `limit + 1` rows that were read the last one only says that there are more. */
export const pageOf = <T>(rows: readonly T[], limit: number, placeOf: (row: T) => Place): ListPage<T> => {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, after: rows.length > limit && last !== undefined ? placeOf(last) : null }
}

/** Conditions and their values: `add` answers the mark that stands for a value. */
export interface Conditions {
  readonly values: readonly SqlValue[]
  add(value: SqlValue): string
}

export const conditions = (...first: SqlValue[]): Conditions => {
  const values = [...first]
  return { values, add: (value) => `$${values.push(value)}` }
}
