/** Erases a mail address from every column that may hold it, row by row, beside a running server. */
import { IN_FLIGHT } from '#payment/attempt.ts'
import type { Eraser } from '#payment/erasure.ts'
import { randomId } from '../../ids.ts'
import type { Database, Row, Sql, SqlValue, Write } from '../engine/database.ts'
import { integer, text, wordList } from '../engine/columns.ts'

/** How the address is removed from a column. */
type Holds =
  /** The address and nothing else. */
  | 'address'
  | 'text'
  /** JSON in which a field `email` may be null. */
  | 'JSON with null'
  | 'JSON'

interface Place {
  readonly table: string
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, Holds>>
  /** Rows that must keep the address for now. */
  readonly except?: string
  /** Further assignments where a column of kind `address` held it. */
  readonly alsoSet?: string
  /** The row is about the address alone and is deleted. */
  readonly isDeleted?: true
}

/** A payment in flight still needs the address for its receipt, and would store it again with its outcome. */
const IN_FLIGHT_ATTEMPTS = `state IN (${wordList(IN_FLIGHT)})`

const PLACES: readonly Place[] = [
  {
    table: 'attempts',
    key: ['merchant_id', 'order_code'],
    columns: { details: 'JSON with null' },
    except: IN_FLIGHT_ATTEMPTS,
  },
  {
    table: 'checkouts',
    key: ['merchant_id', 'id'],
    columns: {
      shopper_email: 'address',
      subject: 'text',
      remarks: 'text',
      cancel_url: 'text',
      redirect_url: 'text',
      reference: 'text',
      metadata: 'JSON',
    },
  },
  { table: 'reusable_links', key: ['merchant_id', 'id'], columns: { checkout: 'JSON' } },
  {
    table: 'mails',
    key: ['merchant_id', 'id'],
    columns: { recipient: 'address', facts: 'JSON' },
    // As after 30 days. One that waits is not sent any more.
    alsoSet: `facts = NULL, answer = NULL, next_try_at = NULL,
      state = CASE WHEN state IN ('waiting', 'sending') THEN 'given_up' ELSE state END`,
  },
  { table: 'mail_addresses', key: ['merchant_id', 'address'], columns: { address: 'address' }, isDeleted: true },
  { table: 'events', key: ['merchant_id', 'id'], columns: { data: 'JSON' } },
  {
    table: 'delivery_tries',
    key: ['merchant_id', 'endpoint_id', 'event_id', 'claim'],
    columns: { answer: 'text', problem: 'text' },
  },
  { table: 'person_links', key: ['hash'], columns: { email: 'address' }, isDeleted: true },
  { table: 'person_mails', key: ['id'], columns: { recipient: 'address', facts: 'JSON' }, isDeleted: true },
  // Append-only but for this: a line stays, without the address.
  { table: 'audit_lines', key: ['merchant_id', 'id'], columns: { subject: 'text', details: 'text', person: 'text' } },
  { table: 'outbox', key: ['merchant_id', 'id'], columns: { body: 'JSON' } },
]

/** The tables to compact after an erasure. */
export const ERASED_TABLES = PLACES.map(({ table }) => table)

const erasedValue = (eraser: Eraser, holds: Holds, value: string): string | null => {
  switch (holds) {
    case 'address':
      return eraser.isAddress(value) ? null : value
    case 'text':
      return eraser.inText(value)
    case 'JSON with null':
      return eraser.inJson(value, null)
    case 'JSON':
      return eraser.inJson(value, undefined)
  }
}

/** A pattern of letters and digits in their order, for any encoding of the characters between. It may match too much; the eraser decides. */
const patternOf = (address: string): string =>
  `%${address
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .join('%')}%`

const findRows = ({ rows }: Sql, { table, key, columns, except }: Place, address: string): Promise<Row[]> => {
  const places = Object.keys(columns).map((column) => `lower(${column}) LIKE $1`)
  const read = [...new Set([...key, ...Object.keys(columns)])].join(', ')
  const kept = except === undefined ? '' : `AND NOT (${except})`
  return rows(`SELECT ${read} FROM ${table} WHERE (${places.join(' OR ')}) ${kept}`, patternOf(address))
}

const keyValues = (row: Row, key: readonly string[]): SqlValue[] =>
  key.map((column) => (typeof row[column] === 'number' ? integer(row, column) : text(row, column)))

/** Null where the row does not hold the address. The condition repeats what was read; a row that changed is found in the next round. */
const erasedRowWrite = ({ table, key, columns, alsoSet, isDeleted }: Place, row: Row, eraser: Eraser): Write | null => {
  const changed = Object.entries(columns).flatMap(([column, holds]) => {
    if (row[column] === null) return []
    const before = text(row, column)
    const after = erasedValue(eraser, holds, before)
    return holds.startsWith('JSON') && after === JSON.stringify(JSON.parse(before))
      ? []
      : after === before
        ? []
        : [{ column, holds, before, after }]
  })
  if (changed.length === 0) return null
  const values: SqlValue[] = keyValues(row, key)
  const isThisRow = key.map((column, at) => `${column} = $${at + 1}`)
  if (isDeleted === true) return { text: `DELETE FROM ${table} WHERE ${isThisRow.join(' AND ')}`, values }
  const mark = (value: SqlValue): string => `$${values.push(value)}`
  const isEmptied = alsoSet !== undefined && changed.some(({ holds }) => holds === 'address')
  const set = isEmptied
    ? [...changed.filter(({ holds }) => holds === 'address').map(({ column }) => `${column} = NULL`), alsoSet]
    : changed.map(({ column, after }) => `${column} = ${mark(after)}`)
  const where = [...isThisRow, ...changed.map(({ column, before }) => `${column} = ${mark(before)}`)]
  return { text: `UPDATE ${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`, values }
}

/**
 * Stored together with each erased row: until the files are compacted, they may hold the old bytes. If the process is killed
 * before, the next erasure compacts them too.
 */
const uncompactedWrite = (): Write => ({
  text: 'INSERT INTO uncompacted_erasures (id) VALUES ($1)',
  values: [randomId()],
})

export const uncompactedErasures = async (sql: Sql): Promise<string[]> =>
  (await sql.rows('SELECT id FROM uncompacted_erasures')).map((row) => text(row, 'id'))

/** Deletes the notes that existed before the compacting; rows that were erased during it need another one. */
export const forgetUncompacted = async (sql: Sql, ids: readonly string[]): Promise<void> => {
  for (const id of ids) await sql.rows('DELETE FROM uncompacted_erasures WHERE id = $1', id)
}

/** One round over all tables. Returns the number of changed rows of each table. */
export const eraseRound = async (
  database: Database,
  address: string,
  eraser: Eraser,
): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (const place of PLACES)
    for (const row of await findRows(database, place, address)) {
      const write = erasedRowWrite(place, row, eraser)
      if (write === null) continue
      await database.writeAll([uncompactedWrite(), write])
      found.set(place.table, (found.get(place.table) ?? 0) + 1)
    }
  return found
}

/** Payments to this address that are under way or in doubt. */
export const countInFlightTo = async (database: Database, eraser: Eraser): Promise<number> => {
  const rows = await database.rows(`SELECT details FROM attempts WHERE due_at IS NOT NULL AND ${IN_FLIGHT_ATTEMPTS}`)
  return rows.filter(
    (row) => eraser.inJson(text(row, 'details'), null) !== JSON.stringify(JSON.parse(text(row, 'details'))),
  ).length
}

/** Merchants whose settings hold this address. */
export const countMerchantsOf = async (database: Database, eraser: Eraser): Promise<number> => {
  const rows = await database.rows('SELECT settings FROM merchants')
  return rows.filter(
    (row) => eraser.inJson(text(row, 'settings'), undefined) !== JSON.stringify(JSON.parse(text(row, 'settings'))),
  ).length
}
