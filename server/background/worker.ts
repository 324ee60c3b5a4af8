import type { CheckoutRef } from '#payment/refs.ts'
import { createDesk, type Desk } from './fair-queue.ts'
import { expire } from '../operations/expire.ts'
import { errorFacts } from '../log.ts'
import type { Parts } from '../parts.ts'
import { attendRefunds } from '../operations/refund.ts'
import { attend } from '../operations/resolve-doubt.ts'
import type { Sql } from '../store/database.ts'
import { findExpired, findInquiriesDue } from '../store/due.ts'
import { lockIfFree } from '../store/transitions.ts'

const PAUSE_MS = 1000
const LISTED_AT_ONCE = 50

/** One kind of work: how it is found, and a desk of its own, so that a silent acquirer holds up no deadline. */
interface Lane {
  readonly desk: Desk
  find(sql: Sql, now: number, limit: number): Promise<CheckoutRef[]>
}

const lanesOf = (parts: Parts): readonly [inquiries: Lane, deadlines: Lane] => {
  const laneOf = (
    find: Lane['find'],
    { places, share }: { readonly places: number; readonly share: number },
    work: (due: CheckoutRef) => Promise<void>,
  ): Lane => ({
    find,
    desk: createDesk({
      places,
      share,
      work: (due) =>
        // One checkout that cannot be attended to must not keep the others waiting.
        work(due).catch((error: unknown) => parts.log.error('a checkout could not be attended to', errorFacts(error))),
    }),
  })
  return [
    laneOf(findInquiriesDue, { places: 8, share: 2 }, async (due) => {
      await attend(parts, due, lockIfFree)
      await attendRefunds(parts, due, { lock: lockIfFree })
    }),
    laneOf(findExpired, { places: 4, share: 4 }, (due) => expire(parts, due)),
  ]
}

/**
 * Lists what is due and begins it; true when there may be more of it. The list reaches past what this worker knows
 * already: checkouts that fail or are held each time must not hide those behind them.
 */
const takeUp = async ({ database, clock }: Parts, { desk, find }: Lane): Promise<boolean> => {
  const limit = desk.known + LISTED_AT_ONCE
  const due = await find(database, clock.now(), limit)
  const isNew = desk.take(due)
  return isNew && due.length === limit
}

/**
 * One round: ends what is due. Each checkout is taken by a short transaction that stores whose turn it is and passes over
 * one that another holds, so any number of workers may run beside each other, and one that dies leaves nothing but a turn
 * that comes round again.
 */
export const workOnce = async (parts: Parts): Promise<void> => {
  for (const lane of lanesOf(parts)) {
    while (await takeUp(parts, lane)) await lane.desk.begun()
    await lane.desk.idle()
  }
}

/** Works until it is stopped. A database that is away for a while ends nothing. */
export const startWorker = (parts: Parts): { stop(): Promise<void> } => {
  const lanes = lanesOf(parts)
  const stopping = new AbortController()
  let pausing: Promise<void> | undefined
  /** One at a time: each of many would forget what was tried, and what fails would be tried again many times a second. */
  const pause = (): Promise<void> => {
    pausing ??= parts.clock.sleep(PAUSE_MS).then(() => {
      pausing = undefined
      for (const { desk } of lanes) desk.forget()
    })
    return pausing
  }
  /** Goes on at once where a list was full. What is slow is not waited for: it has its place at the desk. */
  const work = async (): Promise<void> => {
    const full: Lane[] = []
    for (const lane of lanes) {
      try {
        if (await takeUp(parts, lane)) full.push(lane)
      } catch (error) {
        parts.log.error('a round of the worker failed', errorFacts(error))
      }
    }
    await Promise.race([pause(), ...full.map(({ desk }) => desk.begun())])
  }
  const working = (async () => {
    while (!stopping.signal.aborted) await work()
  })()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([working, ...lanes.map(({ desk }) => desk.close())])
    },
  }
}
