/** Moves a checkout into the past, by every instant in its rows, so that a shop has payments of many days. */
import type { Database, SqlValue } from '../../server/store/engine/database.ts'
import { INSTANT_MIN, rowsOf, same } from './copy-checkout.ts'

const ISO_INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
/** As JSON holds them in these rows. */
const EPOCH_INSTANT = /(?<=[:[,])1[6-9]\d{11}(?=[\]},])/g

/** A value as it would be, had all happened `byMs` earlier: instants alone, or inside a text. */
export const earlier = (value: unknown, byMs: number): SqlValue => {
  if (typeof value === 'number') return value > INSTANT_MIN ? value - byMs : value
  if (typeof value !== 'string') return null
  return value
    .replace(ISO_INSTANT, (instant) => new Date(Date.parse(instant) - byMs).toISOString())
    .replace(EPOCH_INSTANT, (instant) => String(Number(instant) - byMs))
}

export const moveCheckout = async (
  database: Database,
  of: { readonly merchantId: string; readonly checkoutId: string },
  byMs: number,
): Promise<void> => {
  for (const { table, rows } of await rowsOf(database, of))
    for (const row of rows) {
      const names = Object.keys(row).filter((name) => row[name] !== null && earlier(row[name], byMs) !== row[name])
      if (names.length === 0) continue
      const columns = names.map((name, place) => `${name} = $${place + 1}`).join(', ')
      const values = names.map((name) => earlier(row[name], byMs))
      await database.rows(`UPDATE ${table} AS t SET ${columns} WHERE ${same(row)}`, ...values)
    }
}
