/** Deliveries of notifications: each is sent until an answer 2xx has come, however long that takes. */
import { notificationBody, parseItem } from './notifications.ts'
import type { Account, StoredNotification } from './rows.ts'
import type { AdyenStore } from './store.ts'

/** Whether the receiver answered 2xx. */
export type SendWebhook = (url: string, body: string) => Promise<boolean>

export interface Deliveries {
  /** Sends what is due, of each account in its order; resolves when each was tried once. */
  sendDue(): Promise<void>
  /** Sends all that was not accepted yet, whatever its pause. */
  sendAll(merchantAccount: string): Promise<{ readonly delivered: number; readonly waiting: number }>
  stop(): void
}

const MINUTE_MS = 60_000
const FIRST_PAUSE_MS = 9_000
const LAST_PAUSE_MS = 480 * MINUTE_MS
/**
 * docs.adyen.com/development-resources/webhooks/troubleshoot: three retries nine seconds apart, then these pauses. Adyen
 * gives up after 30 days; the double keeps to the last pause, so that nothing is lost by a clock that was set far.
 */
const RETRY_PAUSES_MS = [
  FIRST_PAUSE_MS,
  FIRST_PAUSE_MS,
  FIRST_PAUSE_MS,
  ...[2, 5, 10, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE_MS),
]

/** After that many attempts. */
export const retryPauseMs = (attempts: number): number => RETRY_PAUSES_MS[attempts - 1] ?? LAST_PAUSE_MS

/** docs.adyen.com/development-resources/webhooks: an answer within ten seconds, or it counts as none. */
const ANSWER_TIMEOUT_MS = 10_000

export const sendByFetch: SendWebhook = async (url, body) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    // The status decides; a body that breaks off later changes nothing.
    response.body?.cancel().catch(() => undefined)
    return response.ok
  } catch {
    return false
  }
}

export const createDeliveries = (store: AdyenStore, now: () => number, send: SendWebhook): Deliveries => {
  /** Last delivery of each account: the next waits for it, so that no event is sent twice at a time. */
  const queues = new Map<string, Promise<void>>()

  let isStopped = false

  const sendOne = async (sequence: number, account: Account, isForced: boolean): Promise<void> => {
    const found = store.notification(sequence)
    if (found === undefined || found.nextAttemptAt === null || account.webhookUrl === null) return
    // Another call may have tried it meanwhile.
    if (!isForced && found.nextAttemptAt > now()) return
    const isAccepted = await send(account.webhookUrl, JSON.stringify(notificationBody(parseItem(found.item), account)))
    if (isStopped) return
    const attempts = found.attempts + 1
    store.setNotification(sequence, attempts, isAccepted ? null : now() + retryPauseMs(attempts))
  }

  const sendInOrder = async (
    merchantAccount: string,
    all: readonly StoredNotification[],
    isForced: boolean,
  ): Promise<void> => {
    const previous = queues.get(merchantAccount) ?? Promise.resolve()
    // A failure was told to its own caller, and must not stop what comes after it.
    const work = previous
      .catch(() => undefined)
      .then(async () => {
        for (const { sequence } of all) {
          if (isStopped) return
          // Read again each time: the address may have been set meanwhile.
          const account = store.account(merchantAccount)
          if (account !== undefined) await sendOne(sequence, account, isForced)
        }
      })
    queues.set(merchantAccount, work)
    await work
  }

  return {
    sendDue: async () => {
      const due = Map.groupBy(store.dueNotifications(now()), ({ merchantAccount }) => merchantAccount)
      await Promise.all([...due].map(([merchantAccount, all]) => sendInOrder(merchantAccount, all, false)))
    },
    sendAll: async (merchantAccount) => {
      const before = store.undelivered(merchantAccount)
      await sendInOrder(merchantAccount, before, true)
      const waiting = store.undelivered(merchantAccount)
      const left = new Set(waiting.map(({ sequence }) => sequence))
      return { delivered: before.filter(({ sequence }) => !left.has(sequence)).length, waiting: waiting.length }
    },
    stop: () => {
      isStopped = true
    },
  }
}
