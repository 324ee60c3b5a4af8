/** Graceful stop: waits for charges and refunds under way before the process ends. */
import type { Parts } from './parts.ts'
import { DatabaseUnavailable } from './store/database.ts'

/** Longer than the pause of `untilRecorded`. */
const UNTIL_TRIED_AGAIN_MS = 400

/**
 * A server closes when its connections have ended, and a shopper who has closed the tab has none: the charge goes on, and
 * what came of it is still to be written down. From the claim of an attempt to its record one of these calls is under way.
 */
export const trackMoneyCalls = (parts: Parts): { readonly parts: Parts; drained(): Promise<void> } => {
  const { database, gateway } = parts
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
    parts: {
      ...parts,
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
