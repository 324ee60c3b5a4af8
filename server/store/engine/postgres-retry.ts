/** Retry: a call of PostgreSQL that has stored nothing is tried again on another connection, a few times and for a short time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NothingStored } from './postgres-errors.ts'

/** How the pauses between two tries pass. */
export interface RetryTime {
  elapsed(): number
  sleep(ms: number): Promise<void>
}

export const SYSTEM_TIME: RetryTime = { elapsed: () => performance.now(), sleep: (ms) => sleep(ms) }

/**
 * Mends a deadlock, and connections that a failover has ended. It does not outlast a failover, which takes up to half a minute:
 * callers would pile up. They get 503 and try again; what an acquirer has answered is recorded by `untilRecorded`.
 */
export const PAUSES_MS = [0, 100, 400] as const
/** A reading waits for nobody, so one other connection is enough. */
const PAUSES_OF_A_READING_MS = [0] as const
/** Shorter than the wait for a connection of the pool and than a statement that hangs: an overload is not made worse. */
export const RETRY_WITHIN_MS = 3000

const retry = async <T>(time: RetryTime, pausesMs: readonly number[], call: () => Promise<T>): Promise<T> => {
  const deadline = time.elapsed() + RETRY_WITHIN_MS
  for (const pauseMs of pausesMs) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof NothingStored) || time.elapsed() + pauseMs >= deadline) throw error
    }
    if (pauseMs > 0) await time.sleep(pauseMs)
  }
  return call()
}

export interface Retry {
  write<T>(call: () => Promise<T>): Promise<T>
  read<T>(call: () => Promise<T>): Promise<T>
}

export const createRetry = (time: RetryTime): Retry => ({
  write: (call) => retry(time, PAUSES_MS, call),
  read: (call) => retry(time, PAUSES_OF_A_READING_MS, call),
})
