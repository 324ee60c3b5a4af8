/** Circuit breaker: keeps new payments away from an acquirer that does not answer. */
import type { ChargeOutcome, Gateway, Readiness } from '#payment/ports.ts'
import type { Elapsed } from '../parts.ts'

const READINESS_CACHE_MS = 2000
const SILENCES_TO_OPEN = 5
const PROBE_INTERVAL_MS = 30_000

/** Silences in a row. What ends the row depends on whether a charge is among them. */
interface SilenceCount {
  readonly silences: number
  readonly hasCharge: boolean
}

const NO_SILENCE: SilenceCount = { silences: 0, hasCharge: false }

/**
 * Opens when the acquirer refuses, or was silent five times in a row, asked or charged; then one start each 30 s goes
 * through as a probe. Inquiries and fences always pass: they are how doubts end.
 */
export const withCircuitBreaker = (gateway: Gateway, elapsed: Elapsed): Gateway => {
  let silence = NO_SILENCE
  let probeAt = 0
  let asked: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  const isOpen = (): boolean => silence.silences >= SILENCES_TO_OPEN
  const countSilence = (isCharge: boolean): void => {
    silence = { silences: silence.silences + 1, hasCharge: silence.hasCharge || isCharge }
    if (silence.silences === SILENCES_TO_OPEN) probeAt = elapsed() + PROBE_INTERVAL_MS
  }
  const askReadiness = async (): Promise<Readiness> => {
    const answer = await gateway.ready()
    if (answer === 'silent') countSilence(false)
    // Being ready does not end a row with silent charges: the acquirer may answer health checks and charge nothing.
    if (answer === 'ready' && !silence.hasCharge) silence = NO_SILENCE
    return answer
  }
  const cachedReadiness = (): Promise<Readiness> => {
    const now = elapsed()
    if (asked === undefined || now - asked.at >= READINESS_CACHE_MS) asked = { at: now, answer: askReadiness() }
    return asked.answer
  }
  const countOutcome = (outcome: ChargeOutcome): void => {
    if (outcome.outcome !== 'unknown') silence = NO_SILENCE
    // An answer that decides nothing is no silence: one malformed card, sent five times, would stop all payments.
    else if (outcome.isSilence) countSilence(true)
  }

  return {
    ...gateway,
    ready: async () => {
      if (isOpen()) {
        if (elapsed() < probeAt) return 'refused'
        probeAt = elapsed() + PROBE_INTERVAL_MS
        return cachedReadiness()
      }
      const answer = await cachedReadiness()
      return isOpen() ? 'refused' : answer
    },
    charge: async (order) => {
      const outcome = await gateway.charge(order)
      countOutcome(outcome)
      return outcome
    },
  }
}
