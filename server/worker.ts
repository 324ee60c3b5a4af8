import { expire } from './expire.ts'
import { errorFacts } from './log.ts'
import type { Parts } from './parts.ts'
import { attendRefunds } from './refund.ts'
import { attend } from './settle.ts'
import { findExpired, findInquiriesDue, type DueCheckout } from './store/due.ts'

const PAUSE_MS = 1000

/**
 * One round: ends what is due. Each checkout is taken by a short transaction that stores whose turn it is, so any number
 * of workers may run beside each other, and one that dies leaves nothing but a turn that comes round again.
 */
export const workOnce = async (parts: Parts): Promise<void> => {
  const each = async (due: readonly DueCheckout[], work: (due: DueCheckout) => Promise<void>): Promise<void> => {
    for (const checkout of due) {
      // One checkout that cannot be attended to must not keep the others waiting.
      await work(checkout).catch((error: unknown) =>
        parts.log.error('a checkout could not be attended to', errorFacts(error)),
      )
    }
  }
  const now = parts.clock.now()
  await each(await findInquiriesDue(parts.database, now), async ({ merchantId, checkoutId }) => {
    await attend(parts, merchantId, checkoutId)
    await attendRefunds(parts, merchantId, checkoutId)
  })
  await each(await findExpired(parts.database, now), ({ merchantId, checkoutId }) =>
    expire(parts, merchantId, checkoutId),
  )
}

/** Works until it is stopped. A database that is away for a while ends nothing. */
export const startWorker = (parts: Parts): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const work = async (): Promise<void> => {
    await workOnce(parts).catch((error: unknown) => parts.log.error('a round of the worker failed', errorFacts(error)))
    await parts.clock.sleep(PAUSE_MS)
  }
  const working = (async () => {
    while (!stopping.signal.aborted) await work()
  })()
  return {
    stop: async () => {
      stopping.abort()
      await working
    },
  }
}
