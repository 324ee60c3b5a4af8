/** Write probe: checks that the database accepts a write. A full disk or a read-only replica answers reads and refuses writes. */
import { randomBytes } from 'node:crypto'
import { DatabaseFull, type Database } from './database.ts'
import { beat, type BeatClock } from './heartbeat.ts'

/** Within this time the last result is returned again: anybody may ask, and each probe is a write. */
const PROBE_INTERVAL_MS = 2000

/** More than any payment writes. Random bytes, because PostgreSQL compresses what it can. */
const FILLER_BYTES = 192 * 1024

export interface WriteProbe {
  /** Whether a payment could be stored, at most two seconds ago. Never throws. */
  takesWrites(): Promise<boolean>
  /**
   * Throws while the disk is known to be full. The claim of a payment may still find room when its outcome does not: the payment
   * would then be charged, and in doubt until there is room.
   */
  refuseWhileFull(): void
}

interface WatchedDatabase {
  /** The same database. After a write that failed for lack of room, the next probe needs more room. */
  readonly database: Database
  readonly writeProbe: WriteProbe
}

/**
 * A probe changes one row, which needs hardly any room: it can succeed on a full disk while payments fail. So after the first
 * write that failed for lack of room, a probe is larger than a payment, until one of that size has succeeded.
 */
export const createWriteProbe = (unwatched: Database, clock: BeatClock, elapsed: () => number): WatchedDatabase => {
  let refused = 0
  let mended = 0
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined

  const noticing = async <T>(writing: Promise<T>): Promise<T> => {
    try {
      return await writing
    } catch (error) {
      if (error instanceof DatabaseFull) {
        // The last result is out of date. While no probe has passed, they run at their interval.
        if (refused === mended) asked = undefined
        refused += 1
      }
      throw error
    }
  }
  const database: Database = {
    ...unwatched,
    rows: (...statement) => noticing(unwatched.rows(...statement)),
    writeAll: (writes) => noticing(unwatched.writeAll(writes)),
    transact: (work) => noticing(unwatched.transact(work)),
  }

  const probe = async (): Promise<boolean> => {
    const known = refused
    const isSuspect = known > mended
    try {
      await beat(unwatched, clock, isSuspect ? randomBytes(FILLER_BYTES).toString('base64') : '')
      mended = known
      return true
    } catch (error) {
      if (error instanceof DatabaseFull) refused += 1
      return false
    }
  }
  const takesWrites = (): Promise<boolean> => {
    const now = elapsed()
    if (asked === undefined || now - asked.at >= PROBE_INTERVAL_MS) asked = { at: now, answer: probe() }
    return asked.answer
  }
  const refuseWhileFull = (): void => {
    if (refused === mended) return
    // Probe, so that payments go on soon after there is room again.
    void takesWrites()
    throw new DatabaseFull('there is no room for the outcome of a payment')
  }
  return { database, writeProbe: { takesWrites, refuseWhileFull } }
}
