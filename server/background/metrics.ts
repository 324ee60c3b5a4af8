/** Metrics for Prometheus: gauges read from the database at each scrape, counters of this process. */
import { isLongDoubt, longRefundDoubt } from '#payment/doubt.ts'
import { errorFacts, type AnsweredCall, type Log } from '../log.ts'
import type { Dependencies } from '../dependencies.ts'
import { counter, gauge, metricText, secondsSince, type Labels, type Metric } from './metric.ts'
import { countingTries, outboxGauges } from './outbox-metrics.ts'
import { COUNTED_MAX } from '../store/outbox/outbox-counts.ts'
import { DOUBTS_COUNTED_MAX, readBacklog, type BacklogCounts } from '../store/reports/metrics.ts'

/** How long a scrape waits for the database. Prometheus itself gives up after ten seconds and would learn nothing. */
const SCRAPE_TIMEOUT_MS = 5000

/** `long`: how many of them call a person, with the same edge as the alarms. */
const doubtGauges = (
  what: 'payments' | 'refunds',
  beginnings: readonly number[],
  long: { readonly count: number; readonly words: string },
  now: number,
): Metric[] => [
  gauge(
    `kaikei_${what}_in_doubt`,
    `Number of ${what} of which nobody knows yet whether money moved, counted up to ${DOUBTS_COUNTED_MAX}.`,
    beginnings.length,
  ),
  gauge(
    `kaikei_${what}_in_long_doubt`,
    `Number of ${what} in doubt for ${long.words}: a person must look.`,
    long.count,
  ),
  gauge(
    `kaikei_${what}_oldest_doubt_seconds`,
    `Age of the oldest doubt about ${what}, 0 without one.`,
    beginnings.reduce((oldest, since) => Math.max(oldest, secondsSince(since, now)), 0),
  ),
]

const paymentGauges = ({ paymentDoubts }: BacklogCounts, now: number): Metric[] => {
  const count = paymentDoubts.filter((since) => isLongDoubt(since, now)).length
  return doubtGauges('payments', paymentDoubts, { count, words: 'ten minutes and more' }, now)
}

const refundGauges = ({ refundDoubts }: BacklogCounts, now: number): Metric[] => {
  const count = refundDoubts.filter(({ since, acquirer }) => longRefundDoubt(since, now, acquirer) !== null).length
  const beginnings = refundDoubts.map(({ since }) => since)
  return doubtGauges('refunds', beginnings, { count, words: 'ten minutes and more, at Adyen three days' }, now)
}

/** What a scrape could learn of the database; `backlog` is null where it could not be read in time. */
interface DatabaseState {
  readonly backlog: BacklogCounts | null
  readonly takesWrites: boolean
}

const UNREAD: DatabaseState = { backlog: null, takesWrites: false }

/** Without the database its gauges are left out: a zero would say that all is well. */
const gauges = ({ backlog, takesWrites }: DatabaseState, now: number): Metric[] => [
  gauge(
    'kaikei_database_up',
    'Whether the database could be read for this scrape and takes writes.',
    takesWrites ? 1 : 0,
  ),
  ...(backlog === null
    ? []
    : [
        ...paymentGauges(backlog, now),
        ...refundGauges(backlog, now),
        gauge(
          'kaikei_checkouts_past_deadline',
          `Open checkouts past their deadline that no worker has closed yet, counted up to ${COUNTED_MAX}.`,
          backlog.checkoutsExpired,
        ),
        gauge(
          'kaikei_checkouts_held',
          `Checkouts that are closed to payment after a restore, because they may have been paid since the backup, counted up to ${COUNTED_MAX}.`,
          backlog.checkoutsHeld,
        ),
        gauge(
          'kaikei_merchants_braked',
          'Merchants at which cards are being tried out: the challenge is mandatory there.',
          backlog.forcedChallenges,
        ),
        gauge(
          'kaikei_notifications_oldest_unhandled_seconds',
          'Age of the oldest notification of an acquirer that no worker has handled, 0 without one: workers look each second.',
          secondsSince(backlog.inbox.oldestUnhandled, now),
        ),
        gauge(
          'kaikei_set_aside',
          'What cannot be read and waits for an operator: notifications, and rows of the queues of the worker.',
          backlog.inbox.setAside,
        ),
        ...outboxGauges(backlog.outbox, now),
      ]),
]

/** Of this process and its machine. */
const clockGauges = ({ isConfirmed, differenceMs }: Dependencies['clockCheck'], skewMs: number | null): Metric[] => [
  gauge(
    'kaikei_clock_confirmed',
    'Whether the clock of this machine is followed; 0: deletions, expiries and mails wait.',
    isConfirmed() ? 1 : 0,
  ),
  gauge(
    'kaikei_clock_difference_seconds',
    'How far an unconfirmed clock of this machine is ahead of the time that payments go by.',
    differenceMs() / 1000,
  ),
  ...(skewMs === null
    ? []
    : [
        gauge(
          'kaikei_clock_skew_seconds',
          'How far the time of this process is ahead of the database clock; negative: behind it.',
          skewMs / 1000,
        ),
      ]),
]

interface CountingLog {
  readonly log: Log
  metrics(): Metric[]
}

/** Counts what passes through the log, whatever its level. */
const countingLog = (log: Log): CountingLog => {
  const answers = new Map<string, { readonly labels: Labels; value: number }>()
  let alarms = 0
  const limited = { address: 0, card: 0, link: 0 }
  const countAnswer = ({ method, route, status }: AnsweredCall): void => {
    const series = `${method} ${status} ${route}`
    const counted = answers.get(series)
    if (counted === undefined) answers.set(series, { labels: { method, route, status: String(status) }, value: 1 })
    else counted.value += 1
  }
  return {
    log: {
      ...log,
      limited: (limit, facts) => {
        limited[limit] += 1
        log.limited(limit, facts)
      },
      alarm: (event, facts) => {
        alarms += 1
        log.alarm(event, facts)
      },
      answered: (answer) => {
        countAnswer(answer)
        log.answered(answer)
      },
    },
    metrics: () => [
      counter('kaikei_alarms_total', 'Alarms of this process: money, card testing or the database needs a person.', [
        { value: alarms },
      ]),
      counter(
        'kaikei_card_testing_refusals_total',
        'Starts of this process refused by the limits on card testing and of links, by limit.',
        Object.entries(limited).map(([limit, value]) => ({ labels: { limit }, value })),
      ),
      counter('kaikei_http_answers_total', 'Answers of this process by method, route and status.', [
        ...answers.values(),
      ]),
    ],
  }
}

export interface MeteredDependencies {
  /** The same parts, counted. */
  readonly deps: Dependencies
  /** What there is to say at this moment, in the text format of Prometheus. Never fails. */
  scrape(): Promise<string>
}

/** Gauges are read from the database at each scrape, so every process on it says the same; counters are this process's. */
export const withMetrics = (
  unmetered: Dependencies,
  lastSkewMs: () => number | null = () => null,
): MeteredDependencies => {
  const { database, clock } = unmetered
  const { log, metrics } = countingLog(unmetered.log)
  const tries = countingTries(unmetered.sendWebhook)

  const read = async (): Promise<DatabaseState> => {
    const takesWrites = await unmetered.writeProbe.takesWrites()
    try {
      return { backlog: await readBacklog(database, clock.now()), takesWrites }
    } catch (error) {
      log.warn('the metrics could not be read', errorFacts(error))
      return UNREAD
    }
  }
  const givenUp = async (): Promise<DatabaseState> => {
    await clock.sleep(SCRAPE_TIMEOUT_MS)
    return UNREAD
  }
  // One at a time: scrapes that pile up before a database that hangs would take all connections from payments.
  let underWay: Promise<DatabaseState> | undefined
  const readOnce = (): Promise<DatabaseState> => {
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    deps: { ...unmetered, log, sendWebhook: tries.send },
    scrape: async () => {
      const state = await Promise.race([readOnce(), givenUp()])
      const ownMetrics = [...clockGauges(unmetered.clockCheck, lastSkewMs()), ...metrics(), ...tries.metrics()]
      return [...gauges(state, clock.now()), ...ownMetrics].map(metricText).join('')
    },
  }
}
