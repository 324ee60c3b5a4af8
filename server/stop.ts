/**
 * Stop: a server that is told to stop still answers what was sent to it, and waits for charges and refunds under way; one
 * whose parent was killed ends at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TrackCall } from './gateways/wrap-gateway.ts'
import { DatabaseUnavailable, type Database } from './store/engine/database.ts'

/** One line is all that a person needs; a stack trace would hide it. */
export const exitWithProblem = (problem: string): never => {
  const lines = problem.split('\n').map((line) => line.trim())
  process.stderr.write(`${lines.join(' ')}\n`)
  process.exit(1)
}

export interface Drain {
  /** For `createApp`: from when the drain began every answer ends its connection, and /readyz asks for no more traffic. */
  readonly isDraining: () => boolean
  /** Serves until the drain is over, then closes. */
  close(listeners: { close(): Promise<void> }): Promise<void>
}

/**
 * For `drainMs` a stopping server goes on serving: a load balancer still leads callers to it until it has read /readyz, and a
 * call may lie in the system's queue of connections, or be on its way to one that is open. Closed at once, these would be
 * reset, and a shopper who pays would not know what became of the payment.
 */
export const createDrain = (drainMs: number, wait: (ms: number) => Promise<unknown> = sleep): Drain => {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    close: async (listeners) => {
      isDraining = true
      await wait(drainMs)
      await listeners.close()
    },
  }
}

/** Longer than the pause of `untilRecorded`. */
const UNTIL_TRIED_AGAIN_MS = 400

export interface MoneyCalls {
  readonly track: TrackCall
  /** Resolves when none is under way. */
  ended(): Promise<void>
}

/**
 * A server closes when its connections have ended, and a shopper who has closed the tab has none: the charge goes on, and its
 * outcome must still be recorded. From the claim of an attempt to its record one of these calls is under way.
 */
export const createMoneyCalls = (): MoneyCalls => {
  const underWay = new Set<Promise<unknown>>()
  return {
    track: (call) => {
      underWay.add(call)
      const end = (): void => void underWay.delete(call)
      // A write that failed for want of the database is tried again in a moment, and must be waited for too.
      call.then(end, (error: unknown) =>
        error instanceof DatabaseUnavailable ? setTimeout(end, UNTIL_TRIED_AGAIN_MS) : end(),
      )
      return call
    },
    ended: async () => {
      while (underWay.size > 0) {
        await Promise.allSettled(underWay)
        // Whoever awaited that call has begun the next one by the next turn of the event loop.
        await new Promise(setImmediate)
      }
    },
  }
}

export const withTrackedWrites = (database: Database, track: TrackCall): Database => ({
  ...database,
  transact: (work) => track(database.transact(work)),
  writeAll: (writes) => track(database.writeAll(writes)),
})

/** A child whose parent was killed must not live on with the port and the lock: the next start would find them taken. */
export const exitWithParent = (end: () => void): void => {
  process.once('disconnect', end)
  // Without a channel, as under systemd, nobody is waited for. One may have closed while this process was loading.
  if (process.send !== undefined && !process.connected) end()
}

/** `drains`: goes on serving for a moment, so that what was sent already is answered. */
export type Stop = (how: { readonly drains: boolean }) => Promise<void>

/** Stops on a signal; and, at once and with its problem, when the database is not this process's to use any more. */
export const onStop = (lost: Promise<string>, stop: Stop): void => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void stop({ drains: true }).then(() => process.exit(0)))
  void lost.then(async (problem) => {
    await stop({ drains: false })
    exitWithProblem(problem)
  })
}
