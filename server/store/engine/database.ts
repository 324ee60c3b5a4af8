/** Database: the port that both engines, SQLite and PostgreSQL, implement. */
/** A bigint is an integer beyond 2^53: nothing but a backup reads and writes one. */
export type SqlValue = string | number | bigint | null
export type Row = Readonly<Record<string, unknown>>

/** One statement that changes rows of one table and returns none. */
export interface Write {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export interface Sql {
  /**
   * Whether readings of the same turn of the event loop should be one statement (`coalesced-reads.ts`). True on PostgreSQL
   * outside a transaction, where a round trip costs more than a row.
   */
  readonly coalescesReads: boolean
  rows(text: string, ...values: SqlValue[]): Promise<Row[]>
  /** Applies all writes or none, in any order. No write reads, and each has its own table. PostgreSQL is sent one statement. */
  writeAll(writes: readonly Write[]): Promise<void>
  /** Ends a SELECT inside a transaction: rows that another transaction has locked are left out. */
  readonly skipLocked: string
  /** Ends a SELECT inside a transaction: until it ends, no other transaction changes or deletes these rows. */
  readonly forShare: string
  /** Behind a column: its texts are compared by their bytes, whatever the collation of the database says. */
  readonly byBytes: string
  /** Takes named locks until this transaction ends. Take them in the same order everywhere. */
  lockNames(...names: string[]): Promise<void>
}

/** A constraint refused a write, and the transaction was rolled back. The database's error is not kept: it quotes the row. */
export class Conflict extends Error {
  readonly constraint: string
  constructor(constraint: string) {
    super(`conflict with ${constraint}`)
    this.constraint = constraint
  }
}

/**
 * The database cannot be reached or takes too long; the request itself may be right. If COMMIT fails so, it is unknown
 * whether the transaction was stored. That is safe: the acquirer is asked to charge only after the claim is known to be
 * stored, and an outcome that could not be stored is inquired again when the lease has ended.
 */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable'
}

/** The disk is full or cannot be written. */
export class DatabaseFull extends DatabaseUnavailable {
  override readonly name = 'DatabaseFull'
}

export interface Migration {
  readonly name: string
  readonly text: string
  /** The oldest release whose servers and workers may run while and after it is applied. */
  readonly oldestBeside: string
}

/** A server or a worker that runs is of a release that a migration does not allow beside it. Nothing was changed. */
export class TooOldBeside extends Error {
  override readonly name = 'TooOldBeside'
}

/** Another process migrates, or a long query holds a table: nothing was changed, and it may be tried again later. */
export class MigrationBlocked extends Error {
  override readonly name = 'MigrationBlocked'
}

/** `alone`: cards are held in the memory of the one server. `shared`: beside other servers that share their card hold. */
export type ServerMode = 'alone' | 'shared'

/** `worker`: beside any server. It is refused to nobody; whoever migrates sees by it which releases run. */
export type ClaimMode = ServerMode | 'worker'

/** Whether this process may now serve its database. If not, `holder` says which server forbids it, in its mode, and how to end it. */
export type ServerClaim =
  | { readonly isOurs: true }
  | { readonly isOurs: false; readonly holder: string; readonly holderMode: ServerMode }

export interface Database extends Sql {
  readonly version: string
  /**
   * All or nothing; throws a `Conflict` where a constraint refuses. Do not nest; inside, wait for nothing but this database.
   * `work` may run more than once, each time on the rows of its own transaction: after a deadlock, a failover or a lost
   * connection, as long as COMMIT was not sent. So it does nothing that a rollback does not take back: no alarm, no call to
   * another machine, no count in memory that a second run would add to.
   */
  transact<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** All that are missing, in one transaction. Throws `TooOldBeside` or `MigrationBlocked`. Answers the names of those it applied. */
  migrate(migrations: readonly Migration[], now: number): Promise<readonly string[]>
  /** Runs this while no process migrates; throws `MigrationBlocked` where one does so for too long. */
  whileNobodyMigrates<T>(work: () => Promise<T>): Promise<T>
  /**
   * Claims again after a lost connection; calls `onLost` if another server has taken the claim meanwhile. A server that has a
   * claim changes its mode by another call: from `alone` to `shared` without a moment in which it has none; from `shared` to
   * `alone` it lets go of its share, also where it is refused.
   */
  claimServer(mode: ClaimMode, onLost?: () => void): Promise<ServerClaim>
  close(): Promise<void>
}

/** Whether a statement outside a transaction reads alone: it begins with SELECT, or with WITH and nothing in it writes. */
export const isReading = (statement: string): boolean =>
  /^\s*SELECT\b/.test(statement) || (/^\s*WITH\b/.test(statement) && !/\b(?:INSERT|UPDATE|DELETE)\b/.test(statement))

/** Outside a transaction a named lock would end with its statement. */
export const outsideTransaction = async (): Promise<never> => {
  throw new Error('named locks belong into a transaction')
}
