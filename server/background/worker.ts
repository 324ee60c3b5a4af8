/** Background worker: inquiries, refunds, expiries, notices and mails that are due. */
import type { Instant } from '#contract/jst.ts'
import { BROWSER_KEPT_MS, RETENTION, type Retention } from '#payment/retention.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import type { Mailer } from './mail/mailer.ts'
import { sendMail } from './mail/send-mail.ts'
import { tellHeld } from './mail/tell-held.ts'
import { queueEndpointMail } from './mail/queue-endpoint-mail.ts'
import { expire } from '../operations/expire.ts'
import { errorFacts } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { inquireRefundsIfDue } from '../operations/refund.ts'
import { inquireIfDue } from '../operations/resolve-doubt.ts'
import { inBackground } from '../store/engine/background-work.ts'
import { forgetOldVelocity } from '../store/checkout/card-testing.ts'
import { clearEndpoints } from '../store/outbox/clear-endpoints.ts'
import type { Sql } from '../store/engine/database.ts'
import { findPastDeadline, findInquiriesDue } from '../store/checkout/due-checkouts.ts'
import { forgetOldAddresses } from '../store/erasure/old-addresses.ts'
import { forgetOldBrowsers } from '../store/checkout/authentications.ts'
import { endLateWaits, forgetOldSendings } from '../store/outbox/deliveries.ts'
import { forgetOldEvents } from '../store/outbox/events.ts'
import { forgetOldKeys } from '../store/checkout/idempotency-keys.ts'
import { findUntoldNotices } from '../store/outbox/endpoint-notices.ts'
import { forgetUnconfirmed } from '../store/outbox/mail-addresses.ts'
import { endLateMailWaits, findMailsDue } from '../store/outbox/mail-claims.ts'
import { forgetOldCounts } from '../store/outbox/mail-counts.ts'
import { emptyOldMails } from '../store/outbox/mails.ts'
import { findHeldHours, forgetOldNotificationHours } from '../store/outbox/notification-hours.ts'
import { readCheckoutSnapshot } from '../store/checkout/readings.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { forgetOldHours, sumShopHours } from '../store/checkout/shop-velocity-rows.ts'
import { lockIfFree } from '../store/checkout/transitions.ts'

const POLL_INTERVAL_MS = 1000
const FORGET_INTERVAL_MS = 60_000
const BATCH_SIZE = 50

/** One kind of work, with a queue of its own, so that a silent acquirer or mail server holds up no deadline. */
interface Lane {
  readonly queue: Pick<FairQueue<never>, 'forgetTried' | 'allStarted' | 'idle' | 'close'>
  /**
   * Lists what is due and begins it; true when there may be more of it. The list reaches past what this worker knows
   * already: what fails or is held each time must not hide what is behind it.
   */
  enqueueDue(): Promise<boolean>
}

/** What is due: a checkout, a mail. Two are the same where all their fields are, in the same order. */
interface DueWork {
  readonly merchantId: string
}

interface LaneOptions<Due extends DueWork> {
  readonly concurrency: number
  readonly perMerchant: number
  /** Waits while the clock is not confirmed: what it does by a wrong time cannot be undone. */
  readonly waitsForClock: boolean
  /** Within a merchant, as in a fair queue. */
  partOf?(due: Due): string
  find(sql: Sql, now: number, limit: number): Promise<Due[]>
  work(due: Due): Promise<void>
}

const laneOf = <Due extends DueWork>(
  { database, clock, clockCheck, log }: Dependencies,
  { concurrency, perMerchant, waitsForClock, partOf, find, work }: LaneOptions<Due>,
): Lane => {
  const queue = createFairQueue<Due>({
    concurrency,
    perGroup: perMerchant,
    keyOf: (due) => JSON.stringify(due),
    groupOf: ({ merchantId }) => merchantId,
    ...(partOf === undefined ? {} : { partOf }),
    work: (due) =>
      // One that fails must not keep the others waiting.
      work(due).catch((error: unknown) => log.error('what is due could not be attended to', errorFacts(error))),
  })
  return {
    queue,
    enqueueDue: async () => {
      if (waitsForClock && !clockCheck.isConfirmed()) return false
      const limit = queue.size + BATCH_SIZE
      const due = await find(database, clock.now(), limit)
      const isNew = queue.add(due)
      return isNew && due.length === limit
    },
  }
}

/** Without a mailer mails stay where they are. */
const lanesOf = (deps: Dependencies, mailer: Mailer | null): readonly Lane[] => [
  laneOf(deps, {
    find: findInquiriesDue,
    concurrency: 8,
    perMerchant: 2,
    waitsForClock: false,
    work: async (due) => {
      await inquireIfDue(deps, await readCheckoutSnapshot(deps.database, due), lockIfFree)
      await inquireRefundsIfDue(deps, due, await refundsOfCheckout(deps.database, due), { lock: lockIfFree })
    },
  }),
  laneOf(deps, {
    find: findPastDeadline,
    concurrency: 4,
    perMerchant: 4,
    waitsForClock: true,
    // At midnight thousands of links end at once: a payment goes before them.
    work: (due) => inBackground(() => expire(deps, due)),
  }),
  // Before the mails that they become.
  laneOf(deps, {
    find: findUntoldNotices,
    concurrency: 4,
    perMerchant: 4,
    waitsForClock: true,
    work: (due) => queueEndpointMail(deps, due),
  }),
  laneOf(deps, {
    find: findHeldHours,
    concurrency: 4,
    perMerchant: 4,
    waitsForClock: true,
    work: (due) => tellHeld(deps, due),
  }),
  ...(mailer === null
    ? []
    : [
        laneOf(deps, {
          find: findMailsDue,
          concurrency: 8,
          perMerchant: 4,
          waitsForClock: true,
          partOf: ({ isToShopper }) => String(isToShopper),
          work: (due) => sendMail(deps, mailer, due),
        }),
      ]),
]

/**
 * Adds up the cards of each shop's last hours; forgets cards and networks that the limits on card testing no longer need, what
 * browsers of yesterday said, old idempotency keys, and by their retention deliveries with their tries, events, the content of
 * mails and the addresses of shoppers; and ends waits that a wrong clock has left. In batches, behind payments. What fails is
 * tried again in the next round. While the clock is not confirmed, nothing is forgotten.
 */
export const forgetOld = async (
  { database, clock, clockCheck, log }: Dependencies,
  retention: Retention = RETENTION,
  isStopped: () => boolean = () => false,
): Promise<void> => {
  if (!clockCheck.isConfirmed()) return
  const before = (keptMs: number): Instant => clock.now() - keptMs
  const batches: readonly (() => Promise<boolean>)[] = [
    () => forgetOldVelocity(database, clock.now()),
    () => forgetOldHours(database, clock.now()),
    () => forgetOldBrowsers(database, before(BROWSER_KEPT_MS)),
    () => forgetOldKeys(database, clock.now()),
    () => clearEndpoints(database),
    () => forgetOldSendings(database, before(retention.deliveriesMs)),
    () => endLateWaits(database, clock.now()),
    () => endLateMailWaits(database, clock.now()),
    () => forgetOldEvents(database, before(retention.eventsMs)),
    () => emptyOldMails(database, before(retention.mailsMs)),
    () => forgetUnconfirmed(database, clock.now()),
    () => forgetOldCounts(database, clock.now()),
    () => forgetOldNotificationHours(database, clock.now()),
    () => forgetOldAddresses(database, before(retention.addressesMs)),
  ]
  try {
    // Before their cards are forgotten.
    await inBackground(() => sumShopHours(database, clock.now()))
    for (const nextBatch of batches) while (!isStopped() && (await inBackground(nextBatch)));
  } catch (error) {
    log.error('a round of the worker failed', errorFacts(error))
  }
}

/** One round of all that is due, without forgetting what is old. */
export const workOnceWithoutForgetting = async (deps: Dependencies, mailer: Mailer | null = null): Promise<void> => {
  for (const lane of lanesOf(deps, mailer)) {
    while (await lane.enqueueDue()) await lane.queue.allStarted()
    await lane.queue.idle()
  }
}

/**
 * One round of all that is due. A short transaction claims each inquiry and passes over a checkout that another transaction
 * holds, so any number of workers may run beside each other; what a worker that dies has claimed is due again later.
 */
export const workOnce = async (
  deps: Dependencies,
  mailer: Mailer | null = null,
  retention: Retention = RETENTION,
): Promise<void> => {
  await forgetOld(deps, retention)
  await workOnceWithoutForgetting(deps, mailer)
}

/** Works until it is stopped. A database that is away for a while ends nothing. */
export const startWorker = (
  deps: Dependencies,
  mailer: Mailer | null = null,
  retention: Retention = RETENTION,
): { stop(): Promise<void> } => {
  const lanes = lanesOf(deps, mailer)
  const stopping = new AbortController()
  let pausing: Promise<void> | undefined
  /** One at a time: each of many would forget what was tried, and what fails would be tried again many times a second. */
  const pause = (): Promise<void> => {
    pausing ??= deps.clock.sleep(POLL_INTERVAL_MS).then(() => {
      pausing = undefined
      for (const { queue } of lanes) queue.forgetTried()
    })
    return pausing
  }
  let forgottenAt = Number.NEGATIVE_INFINITY
  let forgetting: Promise<void> | undefined
  /** Beside all else: a million old rows must not hold up an inquiry. */
  const forgetInTurn = (): void => {
    const now = deps.elapsed()
    if (forgetting !== undefined || now - forgottenAt < FORGET_INTERVAL_MS) return
    forgottenAt = now
    forgetting = forgetOld(deps, retention, () => stopping.signal.aborted).finally(() => {
      forgetting = undefined
    })
  }
  /** Goes on at once where a list was full. What is slow is not waited for: it has its place in the queue. */
  const work = async (): Promise<void> => {
    const full: Lane[] = []
    forgetInTurn()
    for (const lane of lanes) {
      try {
        if (await lane.enqueueDue()) full.push(lane)
      } catch (error) {
        deps.log.error('a round of the worker failed', errorFacts(error))
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
      await Promise.all([working, forgetting, ...lanes.map(({ queue }) => queue.close())])
    },
  }
}
