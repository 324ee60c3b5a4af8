import type { Clock, Gateway, Readiness } from '#payment/ports.ts'

const READY_KEPT_MS = 2000
const SILENCES_TO_OPEN = 5
const PROBE_EVERY_MS = 30_000

/**
 * Keeps new payments away from an acquirer that refuses, or that was silent five times in a row, asked or charged; then one
 * start each 30 s goes through as a probe. Inquiries and fences always pass: they are how doubts end.
 */
export const withBreaker = (gateway: Gateway, clock: Clock): Gateway => {
  let silencesInARow = 0
  let probeAt = 0
  let asked: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  const count = (wasSilent: boolean): void => {
    silencesInARow = wasSilent ? silencesInARow + 1 : 0
    if (silencesInARow === SILENCES_TO_OPEN) probeAt = clock.now() + PROBE_EVERY_MS
  }
  const ask = async (): Promise<Readiness> => {
    const answer = await gateway.ready()
    // A word of being up does not end a row of silent charges: the acquirer's door may be open and nobody behind it.
    if (answer === 'silent') count(true)
    return answer
  }
  const isReady = (): Promise<Readiness> => {
    const now = clock.now()
    if (asked === undefined || now - asked.at >= READY_KEPT_MS) asked = { at: now, answer: ask() }
    return asked.answer
  }

  return {
    ...gateway,
    ready: async () => {
      if (silencesInARow >= SILENCES_TO_OPEN) {
        if (clock.now() < probeAt) return 'refused'
        probeAt = clock.now() + PROBE_EVERY_MS
        return isReady()
      }
      const answer = await isReady()
      return silencesInARow >= SILENCES_TO_OPEN ? 'refused' : answer
    },
    charge: async (order) => {
      const outcome = await gateway.charge(order)
      count(outcome.outcome === 'unknown')
      return outcome
    },
  }
}
