import type { ChargeOutcome, Gateway, Readiness } from '#payment/ports.ts'
import type { Elapsed } from '../parts.ts'

const READY_KEPT_MS = 2000
const SILENCES_TO_OPEN = 5
const PROBE_EVERY_MS = 30_000

/** Silences in a row. What ends the row depends on whether a charge is among them. */
interface Row {
  readonly silences: number
  readonly hasCharge: boolean
}

const NO_SILENCE: Row = { silences: 0, hasCharge: false }

/**
 * Keeps new payments away from an acquirer that refuses, or that was silent five times in a row, asked or charged; then one
 * start each 30 s goes through as a probe. Inquiries and fences always pass: they are how doubts end.
 */
export const withCircuitBreaker = (gateway: Gateway, elapsed: Elapsed): Gateway => {
  let row = NO_SILENCE
  let probeAt = 0
  let asked: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  const isShut = (): boolean => row.silences >= SILENCES_TO_OPEN
  const lengthen = (isCharge: boolean): void => {
    row = { silences: row.silences + 1, hasCharge: row.hasCharge || isCharge }
    if (row.silences === SILENCES_TO_OPEN) probeAt = elapsed() + PROBE_EVERY_MS
  }
  const ask = async (): Promise<Readiness> => {
    const answer = await gateway.ready()
    if (answer === 'silent') lengthen(false)
    // A word of being up does not end a row with silent charges: the acquirer's door may be open and nobody behind it.
    if (answer === 'ready' && !row.hasCharge) row = NO_SILENCE
    return answer
  }
  const isReady = (): Promise<Readiness> => {
    const now = elapsed()
    if (asked === undefined || now - asked.at >= READY_KEPT_MS) asked = { at: now, answer: ask() }
    return asked.answer
  }
  const weigh = (outcome: ChargeOutcome): void => {
    if (outcome.outcome !== 'unknown') row = NO_SILENCE
    // An answer that decides nothing is no silence: one malformed card, sent five times, would shut the door for everybody.
    else if (outcome.isSilence) lengthen(true)
  }

  return {
    ...gateway,
    ready: async () => {
      if (isShut()) {
        if (elapsed() < probeAt) return 'refused'
        probeAt = elapsed() + PROBE_EVERY_MS
        return isReady()
      }
      const answer = await isReady()
      return isShut() ? 'refused' : answer
    },
    charge: async (order) => {
      const outcome = await gateway.charge(order)
      weigh(outcome)
      return outcome
    },
  }
}
