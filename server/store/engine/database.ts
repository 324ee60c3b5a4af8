/** Database: the port that both engines, SQLite and PostgreSQL, implement. */
export type SqlValue = string | number | null
export type Row = Readonly<Record<string, unknown>>

/** One statement that changes rows of one table and answers nothing. */
export interface Write {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export interface Sql {
  rows(text: string, ...values: SqlValue[]): Promise<Row[]>
  /** All of them or none, in any order: none reads, and each has a table of its own. PostgreSQL is sent one statement. */
  writeAll(writes: readonly Write[]): Promise<void>
  /** Ends a SELECT inside a transaction: rows that another transaction is moving are left out, not waited for. */
  readonly skipLocked: string
  /** Ends a SELECT inside a transaction: nobody changes or deletes these rows until it ends. Others may hold them so too. */
  readonly forShare: string
  /** Named locks: until this transaction ends, no other one gets past the same name. Take them in the same order everywhere. */
  lockNames(...names: string[]): Promise<void>
}

/**
 * A constraint said no: the transaction was rolled back and nothing of it remains. The database's own error is not kept:
 * its details quote the row.
 */
export class Conflict extends Error {
  readonly constraint: string
  constructor(constraint: string) {
    super(`conflict with ${constraint}`)
    this.constraint = constraint
  }
}

/**
 * The database cannot be reached, has gone away, or takes too long. Nothing is known to be wrong with the request. At
 * COMMIT nobody knows whether the transaction was stored. That is safe: the acquirer is asked only once the claim is known
 * to be stored, and an outcome that could not be written down is asked for again when the lease has passed.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** There is no room for what was to be written: the disk is full, or cannot be written. */
export class DatabaseFull extends DatabaseUnavailable {
  override readonly name = 'DatabaseFull'
}

export interface Migration {
  readonly name: string
  readonly text: string
}

/** Whether this process is now the only server on its database; if not, a sentence says who is and how to end that. */
export type ServerClaim = { readonly isOurs: true } | { readonly isOurs: false; readonly holder: string }

export interface Database extends Sql {
  readonly version: string
  /**
   * All or nothing; throws a `Conflict` where a constraint says no. Transactions are not nested, and nothing but this
   * database is waited for inside one.
   */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  migrate(migrations: readonly Migration[], now: number): Promise<void>
  /** A claim that is lost with its connection is taken up again; `onLost` is called when another server keeps it. */
  claimServer(onLost?: () => void): Promise<ServerClaim>
  close(): Promise<void>
}

/** A lock that ends with its statement would lock nothing. */
export const outsideTransaction = async (): Promise<never> => {
  throw new Error('named locks belong into a transaction')
}
