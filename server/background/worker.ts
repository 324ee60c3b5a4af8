/** Background worker: does what is due about payments, refunds, deadlines, disputes and mails, sums the figures of days, and purges what is old. */
import { HOUR_MS } from '#contract/jst.ts'
import { RETENTION, type Retention } from '#payment/retention.ts'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import type { Mailer } from './mail/mailer.ts'
import { sendMail } from './mail/send-mail.ts'
import { sendPersonMail } from './mail/send-person-mail.ts'
import { queueEndpointMail } from './mail/queue-endpoint-mail.ts'
import { queueHourlySummary } from './mail/queue-hourly-summary.ts'
import { purgeOld } from './purge-old.ts'
import { readDisputes } from './read-disputes.ts'
import { putBackReadableSettings, setAsideUnreadableSettings } from './unreadable-settings.ts'
import { sumDayFigures } from './sum-day-figures.ts'
import { expire } from '../operations/expire.ts'
import { errorFacts } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { findNotificationsDue, handleNotification } from '../operations/handle-notification.ts'
import { inquireRefundsIfDue } from '../operations/refund.ts'
import { clearIfRead, setAsideUnreadable } from '../operations/set-aside.ts'
import { inquireIfDue } from '../operations/resolve-doubt.ts'
import { inBackground } from '../store/engine/urgency.ts'
import { text, type OnUnreadable, type UnreadableRow } from '../store/engine/columns.ts'
import type { Row, Sql, SqlValue } from '../store/engine/database.ts'
import type { Queue } from '../store/merchant/set-aside.ts'
import { findPastDeadline, findInquiriesDue } from '../store/checkout/due-checkouts.ts'
import { findUntoldNotices } from '../store/outbox/endpoint-notices.ts'
import { findMailsDue } from '../store/outbox/mail-claims.ts'
import { findPersonMailsDue } from '../store/people/person-mails.ts'
import { findSummaryHours } from '../store/outbox/notification-hours.ts'
import { readCheckoutSnapshot } from '../store/checkout/checkout-reads.ts'
import { refundsOfCheckout } from '../store/checkout/refunds.ts'
import { lockIfFree } from '../store/checkout/transitions.ts'

const POLL_INTERVAL_MS = 1000
const PURGE_INTERVAL_MS = 60_000
/** An answer to a dispute has days of time. Where the acquirer notifies, the notification is handled at once. */
const DISPUTES_INTERVAL_MS = HOUR_MS
/**
 * The figures of a day that is over may be wrong for so long after something came late, and for the lease of a worker more if that
 * fails meanwhile. Days that are open are counted when somebody reads them.
 */
const FIGURES_INTERVAL_MS = 60_000
/** Every shop is read for it. What such a shop is asked for fails until then, and says so in the log. */
const SETTINGS_INTERVAL_MS = HOUR_MS
/** An endpoint that can be read again waits so long for what it has missed. */
const READABLE_INTERVAL_MS = 60_000
const BATCH_SIZE = 50

/** One kind of work, with a queue of its own, so that a silent acquirer or mail server holds up no deadline. */
interface Lane {
  readonly queue: Pick<FairQueue<never>, 'forgetTried' | 'allStarted' | 'idle' | 'close'>
  /**
   * Lists what is due and begins it; true when there may be more of it. The list reaches past what this worker has begun
   * already: what fails or is held each time must not hide what is behind it. It does not reach past what waits for its turn: beside
   * a silent mail server each list would be longer than the one before.
   */
  enqueueDue(): Promise<boolean>
}

/** What is due: a checkout, a mail. Two are the same where all their fields are, in the same order. */
interface DueWork {
  readonly merchantId: string
}

interface LaneOptions<Due extends DueWork> {
  readonly queue: Queue
  /** Of the row in its table, the merchant left out: by it a row that cannot be read is set aside. */
  keyOf(due: Due): readonly SqlValue[]
  readonly concurrency: number
  readonly perMerchant: number
  /** Waits while the clock is not confirmed: what it does by a wrong time cannot be undone. */
  readonly waitsForClock: boolean
  /** Within a merchant, as in a fair queue. */
  subgroupOf?(due: Due): string
  find(sql: Sql, now: number, limit: number, onUnreadable: OnUnreadable): Promise<Due[]>
  work(due: Due): Promise<void>
}

/** The keys of the queues of which more than references is read in a list. */
const KEY_COLUMNS: Partial<Readonly<Record<Queue, readonly string[]>>> = {
  notices: ['endpoint_id', 'kind', 'failing_since'],
  summaries: ['mode', 'topic', 'hour'],
}

const rowOf = (queue: Queue, row: Row) => ({
  merchantId: text(row, 'merchant_id'),
  queue,
  key: (KEY_COLUMNS[queue] ?? []).map((column) => String(row[column])),
})

const laneOf = <Due extends DueWork>(
  deps: Dependencies,
  { queue: name, keyOf, concurrency, perMerchant, waitsForClock, subgroupOf, find, work }: LaneOptions<Due>,
): Lane => {
  const { database, clock, clockCheck, log } = deps
  const logFailed = (error: unknown): void => log.error('what is due could not be attended to', errorFacts(error))
  /** One that fails must not keep the others waiting. */
  const attempt = async (due: Due): Promise<void> => {
    const row = { merchantId: due.merchantId, queue: name, key: keyOf(due) }
    try {
      await work(due)
      await clearIfRead(deps, row)
    } catch (error) {
      if (!(await setAsideUnreadable(deps, row, error))) logFailed(error)
    }
  }
  const queue = createFairQueue<Due>({
    concurrency,
    perGroup: perMerchant,
    keyOf: (due) => JSON.stringify(due),
    groupOf: ({ merchantId }) => merchantId,
    ...(subgroupOf === undefined ? {} : { subgroupOf }),
    work: (due) => attempt(due).catch(logFailed),
  })
  return {
    queue,
    enqueueDue: async () => {
      if (waitsForClock && !clockCheck.isConfirmed()) return false
      const limit = queue.begun + BATCH_SIZE
      const unreadable: [Row, UnreadableRow][] = []
      const due = await inBackground(() =>
        find(database, clock.now(), limit, (row, error) => unreadable.push([row, error])),
      )
      const isNew = queue.add(due)
      for (const [row, error] of unreadable) await setAsideUnreadable(deps, rowOf(name, row), error).catch(logFailed)
      return (isNew || unreadable.length > 0) && due.length + unreadable.length === limit
    },
  }
}

/** Of the database alone, and by the time. */
const SHORT_WORK = { concurrency: 4, perMerchant: 4, waitsForClock: true } as const

/** Without a mailer mails stay where they are. */
const lanesOf = (deps: Dependencies, mailer: Mailer | null): readonly Lane[] => [
  // Before the inquiries that they make due.
  laneOf(deps, {
    queue: 'notifications',
    keyOf: ({ mode, id }) => [mode, id],
    find: findNotificationsDue,
    concurrency: 4,
    perMerchant: 2,
    waitsForClock: false,
    work: (due) => handleNotification(deps, due),
  }),
  laneOf(deps, {
    queue: 'inquiries',
    keyOf: ({ checkoutId }) => [checkoutId],
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
    queue: 'deadlines',
    keyOf: ({ checkoutId }) => [checkoutId],
    find: findPastDeadline,
    ...SHORT_WORK,
    // At midnight thousands of links end at once.
    work: (due) => inBackground(() => expire(deps, due)),
  }),
  // Before the mails that they become.
  laneOf(deps, {
    queue: 'notices',
    keyOf: ({ endpointId, kind, failingSince }) => [endpointId, kind, failingSince],
    find: findUntoldNotices,
    ...SHORT_WORK,
    work: (due) => inBackground(() => queueEndpointMail(deps, due)),
  }),
  laneOf(deps, {
    queue: 'summaries',
    keyOf: ({ mode, topic, hour }) => [mode, topic, hour],
    find: findSummaryHours,
    ...SHORT_WORK,
    work: (due) => inBackground(() => queueHourlySummary(deps, due)),
  }),
  ...(mailer === null
    ? []
    : [
        laneOf(deps, {
          queue: 'mails',
          keyOf: ({ mailId }) => [mailId],
          find: findMailsDue,
          concurrency: 8,
          perMerchant: 4,
          waitsForClock: true,
          subgroupOf: ({ isToShopper }) => String(isToShopper),
          work: (due) => inBackground(() => sendMail(deps, mailer, due)),
        }),
        // Beside the others: whoever signs in by a link waits for it.
        laneOf(deps, {
          queue: 'person_mails',
          keyOf: ({ mailId }) => [mailId],
          find: findPersonMailsDue,
          concurrency: 2,
          perMerchant: 2,
          waitsForClock: true,
          work: (due) => sendPersonMail(deps, mailer, due),
        }),
      ]),
]

/** One round of all that is due. */
export const runDueWork = async (deps: Dependencies, mailer: Mailer | null = null): Promise<void> => {
  for (const lane of lanesOf(deps, mailer)) {
    while (await lane.enqueueDue()) await lane.queue.allStarted()
    await lane.queue.idle()
  }
}

/**
 * One round of all that a worker does. A short transaction claims each inquiry and skips a checkout that another transaction
 * has locked, so any number of workers may run beside each other; what a worker that dies has claimed is due again later.
 */
export const workOnce = async (
  deps: Dependencies,
  mailer: Mailer | null = null,
  retention: Retention = RETENTION,
): Promise<void> => {
  await purgeOld(deps, retention)
  await readDisputes(deps)
  await runDueWork(deps, mailer)
  await sumDayFigures(deps)
  await setAsideUnreadableSettings(deps)
  await putBackReadableSettings(deps)
}

/** Work by its own timer, at once and then in each interval: a million old rows or a silent acquirer must not hold up an inquiry. */
const besideAllElse = ({ elapsed, clockCheck }: Dependencies, intervalMs: number, work: () => Promise<void>) => {
  let startedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  return {
    startIfDue: (): void => {
      // None works by a clock that is not confirmed: an hour must not pass before it does.
      if (running !== undefined || elapsed() - startedAt < intervalMs || !clockCheck.isConfirmed()) return
      startedAt = elapsed()
      running = work().finally(() => {
        running = undefined
      })
    },
    ended: async (): Promise<void> => running,
  }
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
  /** One at a time: each of many would clear what was tried, and what fails would be tried again many times a second. */
  const pause = (): Promise<void> => {
    pausing ??= deps.clock.sleep(POLL_INTERVAL_MS).then(() => {
      pausing = undefined
      for (const { queue } of lanes) queue.forgetTried()
    })
    return pausing
  }
  const isStopped = (): boolean => stopping.signal.aborted
  const besides = [
    besideAllElse(deps, PURGE_INTERVAL_MS, () => purgeOld(deps, retention, isStopped)),
    besideAllElse(deps, DISPUTES_INTERVAL_MS, () => readDisputes(deps, isStopped)),
    besideAllElse(deps, FIGURES_INTERVAL_MS, () => sumDayFigures(deps, isStopped)),
    besideAllElse(deps, SETTINGS_INTERVAL_MS, () => setAsideUnreadableSettings(deps, isStopped)),
    besideAllElse(deps, READABLE_INTERVAL_MS, () => putBackReadableSettings(deps, isStopped)),
  ]
  /** Goes on at once where a list was full. What is slow is not waited for: it has its place in the queue. */
  const work = async (): Promise<void> => {
    const full: Lane[] = []
    for (const { startIfDue } of besides) startIfDue()
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
      await Promise.all([working, ...besides.map(({ ended }) => ended()), ...lanes.map(({ queue }) => queue.close())])
    },
  }
}
