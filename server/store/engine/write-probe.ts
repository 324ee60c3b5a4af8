/** Write probe: whether the database takes a write. A full disk and a read-only replica answer readings and refuse this. */
import { randomBytes } from 'node:crypto'
import { DatabaseFull, type Database } from './database.ts'
import { beat, type BeatClock } from './heartbeat.ts'

/** Whoever asks more often is told the same: anybody may ask, and each probe is a write. */
const PROBE_INTERVAL_MS = 2000

/** More than any payment writes. Random, because PostgreSQL stores compressed what can be compressed. */
const FILLER_BYTES = 192 * 1024

export interface WriteProbe {
  /** Whether a payment could be written down, as it was two seconds ago at most. Never fails. */
  takesWrites(): Promise<boolean>
  /**
   * Throws while the disk is known to be full. The claim of a payment may still find room where its outcome does not: it would
   * be charged, and in doubt until there is room.
   */
  refuseWhileFull(): void
}

interface WatchedDatabase {
  /** The same database. A write that it refuses because there is no room is noticed, and the next probe needs more room. */
  readonly database: Database
  readonly writeProbe: WriteProbe
}

/**
 * A probe changes one row, which needs hardly any room: on a full disk SQLite finds it in its log, PostgreSQL in the row's own
 * page, and payments fail beside it. So the first refused write of any kind makes the probe larger than a payment, until
 * one of that size was taken.
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
        // What the last probe said is not so any more. While none has passed, it is asked at its interval.
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
    // So that the next payment learns soon that there is room again.
    void takesWrites()
    throw new DatabaseFull('there is no room for the outcome of a payment')
  }
  return { database, writeProbe: { takesWrites, refuseWhileFull } }
}
