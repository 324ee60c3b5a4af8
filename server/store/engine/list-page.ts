/** Page of a list: rows, the newest first, and the place where the next page begins. */
import type { SqlValue } from './database.ts'

/** Where a page ended: the values of the ordering columns of its last row. */
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

/** A page ends with the row that exceeds this many characters: a hundred checkouts with the longest texts took 45 ms. */
const PAGE_CHARACTERS_MAX = 512 * 1024

const charactersIn = (row: object): number =>
  Object.values(row).reduce((sum: number, value: unknown) => sum + (typeof value === 'string' ? value.length : 0), 0)

interface PageRows<R, T> {
  readonly read: (row: R) => T
  readonly placeOf: (item: T) => Place
  /** By default the length of all texts of the row. */
  readonly lengthOf?: (row: R) => number
}

/** `rows` are up to `limit + 1`: the last one only shows that there are more. */
export const pageOf = <R extends object, T>(
  rows: readonly R[],
  limit: number,
  { read, placeOf, lengthOf = charactersIn }: PageRows<R, T>,
): ListPage<T> => {
  let [count, characters] = [0, 0]
  for (const row of rows) {
    if (count === limit || characters >= PAGE_CHARACTERS_MAX) break
    count += 1
    characters += lengthOf(row)
  }
  const items = rows.slice(0, count).map(read)
  const last = items.at(-1)
  return { items, after: rows.length > count && last !== undefined ? placeOf(last) : null }
}

/** Conditions and their values: `add` returns the mark of a value, such as `$3`. */
export interface Conditions {
  readonly values: readonly SqlValue[]
  add(value: SqlValue): string
}

export const conditions = (...first: SqlValue[]): Conditions => {
  const values = [...first]
  return { values, add: (value) => `$${values.push(value)}` }
}
