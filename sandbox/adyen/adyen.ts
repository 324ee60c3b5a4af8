/**
 * Double of Adyen: Checkout API v72, notifications and settlement reports, kept in a database of its own so that what
 * was answered survives a kill. The data folder must exist; durations of cards are multiplied by the time scale.
 */
import { join } from 'node:path'
import type { Route } from '../http/router.ts'
import { createBookings } from './bookings.ts'
import { checkoutRoutes } from './checkout-api.ts'
import { controlRoutes } from './control.ts'
import { createDeliveries, sendByFetch, type SendWebhook } from './deliveries.ts'
import { createDisputes } from './disputes.ts'
import { openIdempotency } from './idempotency.ts'
import { createLaterEvents } from './later-events.ts'
import { reportRoute } from './report-download.ts'
import { openAdyenStore } from './store.ts'
import { readVendorSchema } from './vendor-schema.ts'

export interface AdyenDouble {
  readonly routes: readonly Route[]
  close(): void
}

/** The longest that a timer can wait. */
const TIMER_MAX_MS = 2 ** 31 - 1

export const openAdyen = (
  dataFolder: string,
  timeScale: number,
  systemTime: () => number = Date.now,
  send: SendWebhook = sendByFetch,
): AdyenDouble => {
  // First, because its lock keeps a second process from writing another key into a new folder.
  const store = openAdyenStore(join(dataFolder, 'adyen.sqlite'))
  let offsetMs = store.clockOffset()
  const now = (): number => systemTime() + offsetMs
  const bookings = createBookings(store, now, timeScale)
  const deliveries = createDeliveries(store, now, send)
  const idempotency = openIdempotency(store, now, join(dataFolder, 'adyen.key'))
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** Processes and sends what is due, and comes back when more is. */
  const wake = (): void => {
    if (isClosed) return
    clearTimeout(timer)
    if (store.hasDue(now())) store.atomically(bookings.processDue)
    deliveries.sendDue().then(setTimer, reportProblem)
    setTimer()
  }

  const setTimer = (): void => {
    if (isClosed) return
    clearTimeout(timer)
    const dueAt = store.nextDueAt(now())
    if (dueAt !== undefined) timer = setTimeout(wake, Math.min(Math.max(1, dueAt - now()), TIMER_MAX_MS))
  }

  const advanceClock = (advanceMs: number): number => {
    offsetMs += advanceMs
    store.setClockOffset(offsetMs)
    return now()
  }

  /** Before each call, so that no caller sees a state whose time has passed. */
  const afterDue = (route: Route): Route => ({
    ...route,
    handle: (call) => {
      if (store.hasDue(now())) wake()
      return route.handle(call)
    },
  })

  wake()
  const schema = readVendorSchema()
  const later = createLaterEvents(store, bookings)
  const disputes = createDisputes(store, bookings)
  return {
    routes: [
      ...checkoutRoutes({ store, bookings, idempotency, schema, timeScale, wake }),
      reportRoute(store),
      ...controlRoutes({ store, bookings, later, disputes, deliveries, advanceClock, wake }),
    ].map(afterDue),
    close: () => {
      isClosed = true
      clearTimeout(timer)
      deliveries.stop()
      store.close()
    },
  }
}

const reportProblem = (error: unknown): void => {
  process.stderr.write(`sandbox: a notification failed: ${error instanceof Error ? error.message : 'unknown error'}\n`)
}
