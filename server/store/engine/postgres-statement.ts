/** Prepared statement of PostgreSQL: parsed, planned and described once a connection. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Row, SqlValue } from './database.ts'

/**
 * More than the program has of its own. Lists have a statement for each combination of filters: were all of them prepared, one
 * caller could have every connection keep thousands of plans.
 */
const PREPARED_MAX = 500

const BOOL = 16
const INT8 = 20
const INT4 = 23

type ParseColumn = (text: string) => unknown

/** The few types our statements answer. Every BIGINT here is an instant or an amount, far below 2^53. */
const parserOf = (oid: number): ParseColumn => {
  if (oid === INT8 || oid === INT4) return Number
  return oid === BOOL ? (value) => value === 't' : (value) => value
}
export const columnTypes: pg.CustomTypesConfig = { getTypeParser: parserOf }

interface Column {
  readonly name: string
  readonly parse: ParseColumn
}

/** What each connection has prepared: the name of a statement, and the columns that it answers. */
const prepared = new WeakMap<pg.Connection, Map<string, readonly Column[]>>()
const preparedOn = (connection: pg.Connection): Map<string, readonly Column[]> => {
  const known = prepared.get(connection) ?? new Map<string, readonly Column[]>()
  prepared.set(connection, known)
  return known
}

/**
 * One call of a prepared statement. The driver's own query has the columns described each time, and reads them each time: two
 * fifths of what a wide row costs. PostgreSQL refuses a prepared statement whose columns have changed, so those of the first
 * time are those of every time. The driver calls the methods, as those of its cursor.
 */
class PreparedQuery implements pg.Submittable {
  /** The driver puts its timeout around it. */
  callback: (error: unknown) => void
  readonly rows: Row[] = []
  readonly #name: string
  readonly #statement: string
  readonly #values: (string | null)[]
  #columns: readonly Column[] | undefined

  constructor(name: string, statement: string, values: readonly SqlValue[], callback: (error: unknown) => void) {
    this.#name = name
    this.#statement = statement
    this.#values = values.map((value) => (typeof value === 'number' ? String(value) : value))
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#columns = preparedOn(connection).get(this.#name)
    const isNew = this.#columns === undefined
    // All messages in one write.
    connection.stream.cork()
    try {
      if (isNew) {
        // One that failed may be there by this name, and would not be replaced. To close what is not there is no error.
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
    // The rows are complete when PostgreSQL is ready again, and not before: a commit may still fail.
  }

  handleEmptyQuery(): void {
    // Without it a text that holds no statement would end the process.
  }

  handleReadyForQuery(connection: pg.Connection): void {
    // A statement without an answer is described as having no columns, which the driver does not tell.
    preparedOn(connection).set(this.#name, this.#columns ?? [])
    this.callback(null)
  }

  /** Whatever failed, the next call prepares it anew: were it gone from the session, no call of it would ever work again. */
  handleError(error: unknown, connection: pg.Connection): void {
    preparedOn(connection).delete(this.#name)
    this.callback(error)
  }
}

const names = new Map<string, string>()
/** Undefined for one statement too many: it is parsed and planned each time. */
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
