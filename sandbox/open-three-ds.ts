/** Simulated 3-D Secure: server and bank share one transaction store, so the server knows what the bank decided. */
import { bankRoutes } from './bank/bank.ts'
import type { Origins } from './http/hosts.ts'
import type { Route } from './http/router.ts'
import { threeDSApiRoutes } from './three-ds/api.ts'
import { threeDSPageRoutes } from './three-ds/pages.ts'
import { createRequestLog } from './three-ds/request-log.ts'
import { createTransactionStore, type Timing } from './three-ds/transactions.ts'

const SCALED_MIN_MS = 1_000

export const createTiming = (timeScale: number, now: () => number = Date.now): Timing => ({
  now,
  scale: (durationMs) => Math.max(SCALED_MIN_MS, Math.round(durationMs * timeScale)),
})

interface ThreeDSSites {
  readonly api: readonly Route[]
  /** Empty where no log is kept. */
  readonly requestLog: readonly Route[]
  readonly threeDS: readonly Route[]
  readonly bank: readonly Route[]
}

export const openThreeDS = (timing: Timing, origins: Origins, keepsRequestLog: boolean): ThreeDSSites => {
  const transactions = createTransactionStore(timing)
  const log = keepsRequestLog ? createRequestLog(transactions) : null
  return {
    api: threeDSApiRoutes(transactions, timing, origins, log),
    requestLog: log === null ? [] : [log.listRoute],
    threeDS: threeDSPageRoutes(transactions, timing, origins),
    bank: bankRoutes(transactions, timing, origins),
  }
}
