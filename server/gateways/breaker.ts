import type { Clock, Gateway } from '#payment/ports.ts'

const READY_KEPT_MS = 2000
const DOUBTS_TO_OPEN = 5
const PROBE_EVERY_MS = 30_000

/**
 * Keeps new payments away from an acquirer that does not answer. Five doubts in a row open it; then one start each 30 s
 * goes through as a probe. Inquiries and fences always pass: they are how doubts end.
 */
export const withBreaker = (gateway: Gateway, clock: Clock): Gateway => {
  let doubtsInARow = 0
  let probeAt = 0
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined

  const isReady = (): Promise<boolean> => {
    const now = clock.now()
    if (asked === undefined || now - asked.at >= READY_KEPT_MS) asked = { at: now, answer: gateway.ready() }
    return asked.answer
  }

  return {
    ...gateway,
    ready: async () => {
      if (doubtsInARow >= DOUBTS_TO_OPEN) {
        if (clock.now() < probeAt) return false
        probeAt = clock.now() + PROBE_EVERY_MS
      }
      return isReady()
    },
    charge: async (order) => {
      const outcome = await gateway.charge(order)
      doubtsInARow = outcome.outcome === 'unknown' ? doubtsInARow + 1 : 0
      if (doubtsInARow === DOUBTS_TO_OPEN) probeAt = clock.now() + PROBE_EVERY_MS
      return outcome
    },
  }
}
