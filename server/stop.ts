/**
 * Stop: a server that is told to stop still answers what was sent to it, and waits for charges and refunds under way; one
 * whose parent was killed ends at once.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dependencies } from './dependencies.ts'
import { DatabaseUnavailable } from './store/engine/database.ts'

/** Longer than the pause of `untilRecorded`. */
const UNTIL_TRIED_AGAIN_MS = 400

/**
 * How long a stopping server goes on as before: a call may still lie in the system's queue of connections, or be on its way to
 * one that is open. Closed at once, both would be reset, and a shopper who pays would not know what became of the payment.
 */
const DRAIN_MS = 1000

export interface Drain {
  /** For `createApp`: from when the drain began every answer ends its connection, and /readyz asks for no more traffic. */
  readonly isDraining: () => boolean
  /** Serves for a little longer, then closes. */
  close(listeners: { close(): Promise<void> }): Promise<void>
}

export const createDrain = (drainMs = DRAIN_MS): Drain => {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    close: async (listeners) => {
      isDraining = true
      await sleep(drainMs)
      await listeners.close()
    },
  }
}

/**
 * A server closes when its connections have ended, and a shopper who has closed the tab has none: the charge goes on, and
 * what came of it is still to be written down. From the claim of an attempt to its record one of these calls is under way.
 */
export const trackMoneyCalls = (deps: Dependencies): { readonly deps: Dependencies; drained(): Promise<void> } => {
  const { database, gateway } = deps
  const underWay = new Set<Promise<unknown>>()
  const followed = <T>(call: Promise<T>): Promise<T> => {
    underWay.add(call)
    const isOver = (): void => void underWay.delete(call)
    // What could not be written is tried again in a moment, and must be waited for too.
    call.then(isOver, (error: unknown) =>
      error instanceof DatabaseUnavailable ? setTimeout(isOver, UNTIL_TRIED_AGAIN_MS) : isOver(),
    )
    return call
  }
  return {
    deps: {
      ...deps,
      database: {
        ...database,
        transact: (work) => followed(database.transact(work)),
        writeAll: (writes) => followed(database.writeAll(writes)),
      },
      gateway: {
        ...gateway,
        charge: (order) => followed(gateway.charge(order)),
        refund: (order) => followed(gateway.refund(order)),
      },
    },
    drained: async () => {
      while (underWay.size > 0) {
        await Promise.allSettled(underWay)
        // Whoever awaited that call has begun the next one by the next turn of the event loop.
        await new Promise(setImmediate)
      }
    },
  }
}

const PARENT_POLL_INTERVAL_MS = 500

/** A child whose parent was killed must not live on with the port and the lock: the next start would find them taken. */
export const exitWithParent = (end: () => void): void => {
  if (process.send === undefined) return
  const parent = process.ppid
  process.once('disconnect', end)
  setInterval(() => {
    if (!process.connected || process.ppid !== parent) end()
  }, PARENT_POLL_INTERVAL_MS).unref()
}
