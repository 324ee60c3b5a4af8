/** Prepared statements of PostgreSQL: parsed, planned and described once for each connection. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Row, SqlValue } from './database.ts'

/**
 * More than the program has itself. Lists have a statement for each combination of filters: without a limit, one caller could
 * make every connection keep thousands of plans.
 */
const PREPARED_MAX = 500

const BOOL = 16
const INT8 = 20
const INT4 = 23

type ParseColumn = (text: string) => unknown

/** Beyond 2^53 it stays whole: the reader of its column refuses it, its row is found by it, and a backup copies it as it stands. */
const bigInteger: ParseColumn = (text) => {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

const parserOf = (oid: number): ParseColumn => {
  if (oid === INT8) return bigInteger
  if (oid === INT4) return Number
  return oid === BOOL ? (value) => value === 't' : (value) => value
}
export const columnTypes: pg.CustomTypesConfig = { getTypeParser: parserOf }

interface Column {
  readonly name: string
  readonly parse: ParseColumn
}

/** The prepared statements of each connection: name, and the columns that it returns. */
const prepared = new WeakMap<pg.Connection, Map<string, readonly Column[]>>()
const preparedOn = (connection: pg.Connection): Map<string, readonly Column[]> => {
  const known = prepared.get(connection) ?? new Map<string, readonly Column[]>()
  prepared.set(connection, known)
  return known
}

/**
 * One call of a prepared statement. The query of the driver requests and reads the description of the columns each time, which
 * is two fifths of the cost of a wide row (decision 46). PostgreSQL refuses a prepared statement whose columns have changed,
 * so the first description stays valid. The driver calls these methods as it calls those of its cursor.
 */
class PreparedQuery implements pg.Submittable {
  /** The driver wraps it for its timeout. */
  callback: (error: unknown) => void
  readonly rows: Row[] = []
  readonly #name: string
  readonly #statement: string
  readonly #values: (string | null)[]
  #columns: readonly Column[] | undefined

  constructor(name: string, statement: string, values: readonly SqlValue[], callback: (error: unknown) => void) {
    this.#name = name
    this.#statement = statement
    this.#values = values.map((value) => (value === null ? null : String(value)))
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#columns = preparedOn(connection).get(this.#name)
    const isNew = this.#columns === undefined
    // All messages in one write.
    connection.stream.cork()
    try {
      if (isNew) {
        // A statement that failed before may exist under this name. Closing a missing one is no error.
        connection.close({ type: 'S', name: this.#name }, true)
        connection.parse({ name: this.#name, text: this.#statement, types: [] }, true)
      }
      connection.bind({ statement: this.#name, values: this.#values }, true)
      if (isNew) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    for (const [at, { name, parse }] of (this.#columns ?? []).entries()) {
      const value = fields[at] ?? null
      row[name] = value === null ? null : parse(value)
    }
    this.rows.push(row)
  }

  handleCommandComplete(): void {
    // Not complete yet: until PostgreSQL is ready for the next query, a commit may still fail.
  }

  handleEmptyQuery(): void {
    // Without this method, a text without a statement would end the process.
  }

  handleReadyForQuery(connection: pg.Connection): void {
    // A statement that returns nothing has no description.
    preparedOn(connection).set(this.#name, this.#columns ?? [])
    this.callback(null)
  }

  /** After any failure the next call prepares the statement again: it may be missing in the session. */
  handleError(error: unknown, connection: pg.Connection): void {
    preparedOn(connection).delete(this.#name)
    this.callback(error)
  }
}

const names = new Map<string, string>()
/** Undefined above the limit: then the statement is parsed and planned each time. */
const nameOf = (statement: string): string | undefined => {
  const known = names.get(statement)
  if (known !== undefined || names.size >= PREPARED_MAX) return known
  const name = createHash('sha256').update(statement).digest('hex').slice(0, 32)
  names.set(statement, name)
  return name
}

/** Sends one statement and returns its rows. */
export const sendStatement = async (
  client: pg.ClientBase,
  statement: string,
  values: readonly SqlValue[],
): Promise<Row[]> => {
  const name = nameOf(statement)
  if (name === undefined) return (await client.query<Row>(statement, [...values])).rows
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const query = new PreparedQuery(name, statement, values, (error) =>
    error === null ? resolve(undefined) : reject(error),
  )
  client.query(query)
  await promise
  return query.rows
}
