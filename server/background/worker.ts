/** Background worker: inquiries, refunds and expiries that are due. */
import type { CheckoutRef } from '#payment/references.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { expire } from '../operations/expire.ts'
import { errorFacts } from '../log.ts'
import type { Parts } from '../parts.ts'
import { inquireRefundsIfDue } from '../operations/refund.ts'
import { inquireIfDue } from '../operations/resolve-doubt.ts'
import { forgetOldQuestions } from '../store/card-testing.ts'
import type { Sql } from '../store/database.ts'
import { findPastDeadline, findInquiriesDue } from '../store/due.ts'
import { forgetOldTries } from '../store/deliveries.ts'
import { forgetOldKeys } from '../store/idempotency-keys.ts'
import { readCheckoutSnapshot } from '../store/readings.ts'
import { refundsOfCheckout } from '../store/refunds.ts'
import { lockIfFree } from '../store/transitions.ts'

const POLL_INTERVAL_MS = 1000
const FORGET_INTERVAL_MS = 60_000
const BATCH_SIZE = 50

/** One kind of work: how it is found, and a queue of its own, so that a silent acquirer holds up no deadline. */
interface Lane {
  readonly queue: FairQueue<CheckoutRef>
  find(sql: Sql, now: number, limit: number): Promise<CheckoutRef[]>
}

const lanesOf = (parts: Parts): readonly [inquiries: Lane, deadlines: Lane] => {
  const laneOf = (
    find: Lane['find'],
    { concurrency, perMerchant }: { readonly concurrency: number; readonly perMerchant: number },
    work: (due: CheckoutRef) => Promise<void>,
  ): Lane => ({
    find,
    queue: createFairQueue({
      concurrency,
      perGroup: perMerchant,
      keyOf: ({ merchantId, checkoutId }) => `${merchantId} ${checkoutId}`,
      groupOf: ({ merchantId }) => merchantId,
      work: (due) =>
        // One checkout that fails must not keep the others waiting.
        work(due).catch((error: unknown) => parts.log.error('a checkout could not be attended to', errorFacts(error))),
    }),
  })
  return [
    laneOf(findInquiriesDue, { concurrency: 8, perMerchant: 2 }, async (due) => {
      await inquireIfDue(parts, await readCheckoutSnapshot(parts.database, due), lockIfFree)
      await inquireRefundsIfDue(parts, due, await refundsOfCheckout(parts.database, due), { lock: lockIfFree })
    }),
    laneOf(findPastDeadline, { concurrency: 4, perMerchant: 4 }, (due) => expire(parts, due)),
  ]
}

/**
 * Lists what is due and begins it; true when there may be more of it. The list reaches past what this worker knows
 * already: checkouts that fail or are held each time must not hide those behind them.
 */
const enqueueDue = async ({ database, clock }: Parts, { queue, find }: Lane): Promise<boolean> => {
  const limit = queue.size + BATCH_SIZE
  const due = await find(database, clock.now(), limit)
  const isNew = queue.add(due)
  return isNew && due.length === limit
}

/** Cards and addresses that the limits on card testing no longer need, old idempotency keys, and tries of webhooks. What fails is tried again in the next round. */
const forgetOld = async ({ database, clock, log }: Parts): Promise<void> => {
  try {
    while (await database.transact((sql) => forgetOldQuestions(sql, clock.now())));
    while (await forgetOldKeys(database, clock.now()));
    while (await forgetOldTries(database, clock.now()));
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}

/**
 * One round of all that is due. A short transaction claims each inquiry and passes over a checkout that another transaction
 * holds, so any number of workers may run beside each other; what a worker that dies has claimed is due again later.
 */
export const workOnce = async (parts: Parts): Promise<void> => {
  await forgetOld(parts)
  for (const lane of lanesOf(parts)) {
    while (await enqueueDue(parts, lane)) await lane.queue.allStarted()
    await lane.queue.idle()
  }
}

/** Works until it is stopped. A database that is away for a while ends nothing. */
export const startWorker = (parts: Parts): { stop(): Promise<void> } => {
  const lanes = lanesOf(parts)
  const stopping = new AbortController()
  let pausing: Promise<void> | undefined
  /** One at a time: each of many would forget what was tried, and what fails would be tried again many times a second. */
  const pause = (): Promise<void> => {
    pausing ??= parts.clock.sleep(POLL_INTERVAL_MS).then(() => {
      pausing = undefined
      for (const { queue } of lanes) queue.forgetTried()
    })
    return pausing
  }
  let forgottenAt = Number.NEGATIVE_INFINITY
  const forgetInTurn = async (): Promise<void> => {
    const now = parts.elapsed()
    if (now - forgottenAt < FORGET_INTERVAL_MS) return
    forgottenAt = now
    await forgetOld(parts)
  }
  /** Goes on at once where a list was full. What is slow is not waited for: it has its place in the queue. */
  const work = async (): Promise<void> => {
    const full: Lane[] = []
    await forgetInTurn()
    for (const lane of lanes) {
      try {
        if (await enqueueDue(parts, lane)) full.push(lane)
      } catch (error) {
        parts.log.error('a round of the worker failed', errorFacts(error))
      }
    }
    await Promise.race([pause(), ...full.map(({ queue }) => queue.allStarted())])
  }
  const working = (async () => {
    while (!stopping.signal.aborted) await work()
  })()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([working, ...lanes.map(({ queue }) => queue.close())])
    },
  }
}
