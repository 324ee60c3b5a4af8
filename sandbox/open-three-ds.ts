import { bankRoutes } from './bank/bank.ts'
import type { Origins, Sites } from './http/hosts.ts'
import { threeDSApiRoutes } from './three-ds/api.ts'
import { threeDSPageRoutes } from './three-ds/pages.ts'
import { createTransactionStore, type Timing } from './three-ds/transactions.ts'

const SCALED_MIN_MS = 1_000

export const createTiming = (timeScale: number, now: () => number = Date.now): Timing => ({
  now,
  scale: (durationMs) => Math.max(SCALED_MIN_MS, Math.round(durationMs * timeScale)),
})

/** Simulated 3-D Secure: server and bank share one transaction store, so the server knows what the bank decided. */
export const openThreeDS = (timing: Timing, origins: Origins): Sites => {
  const transactions = createTransactionStore(timing)
  return {
    api: threeDSApiRoutes(transactions, timing, origins),
    threeDS: threeDSPageRoutes(transactions, timing, origins),
    bank: bankRoutes(transactions, timing, origins),
  }
}
