import type { Sql } from '../../server/store/database.ts'
import type { BookedOrder } from './acquirer.ts'
import type { Told } from './shopper.ts'

/** What a world leaves behind. */
export interface Evidence {
  readonly sql: Sql
  readonly books: ReadonlyMap<string, BookedOrder>
  readonly told: readonly Told[]
  /** What the server called a person for, or could not do. */
  readonly alarms: readonly string[]
  /** Orders whose cards the last process was given and never forgot by itself. */
  readonly unwiped: ReadonlySet<string>
  readonly overdrawn: readonly string[]
}

/** How one checkout ended, in the store and in each tab. */
export interface Ending {
  readonly checkoutId: string
  readonly status: string
  readonly charges: number
  /** What each tab said last. */
  readonly lastWords: readonly Told['word'][]
}
