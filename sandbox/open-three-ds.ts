import { bankPages } from './bank/bank.ts'
import type { Origins } from './http/hosts.ts'
import type { Route } from './http/router.ts'
import { threeDSPages } from './three-ds/pages.ts'
import { threeDSApi } from './three-ds/api.ts'
import { openTransactions, type Timing } from './three-ds/transactions.ts'

const leastMs = 1_000

export const timingAt = (timeScale: number, now: () => number = Date.now): Timing => ({
  now,
  scaled: (durationMs) => Math.max(leastMs, Math.round(durationMs * timeScale)),
})

/** The 3-D Secure server and the bank share one memory: what the bank decides, the server knows. */
export const openThreeDS = (
  timing: Timing,
  origins: Origins,
): { api: readonly Route[]; threeDS: readonly Route[]; bank: readonly Route[] } => {
  const transactions = openTransactions(timing)
  return {
    api: threeDSApi(transactions, timing, origins),
    threeDS: threeDSPages(transactions, timing, origins),
    bank: bankPages(transactions, timing, origins),
  }
}
