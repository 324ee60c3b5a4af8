/** Circuit breaker: keeps new payments away from an acquirer that does not answer. */
import type { CardNumber } from '#payment/card-number.ts'
import type { ChargeOutcome, Gateway, Readiness } from '#payment/ports.ts'
import type { Elapsed, Dependencies } from '../dependencies.ts'

const READINESS_CACHE_MS = 2000
const SILENCES_TO_OPEN = 5
/**
 * One card that makes the acquirer time out, sent again and again, would else stop all payments. At most 2 unanswered charges of
 * one card count, so the 5 that open the breaker need 3 cards.
 */
const SILENCES_OF_CARD = 2
const PROBE_INTERVAL_MS = 30_000

/** Calls in a row without an answer: of the ready checks, and of the charges by the fingerprint of their card. */
interface Silences {
  ofReadyChecks: number
  readonly ofCards: Map<string, number>
}

const noSilences = (): Silences => ({ ofReadyChecks: 0, ofCards: new Map() })

const countOf = ({ ofReadyChecks, ofCards }: Silences): number =>
  [...ofCards.values()].reduce((sum, count) => sum + Math.min(count, SILENCES_OF_CARD), ofReadyChecks)

export interface CircuitBreakerDependencies extends Pick<Dependencies, 'cardFingerprint'> {
  readonly elapsed: Elapsed
}

/**
 * Opens when the acquirer refuses, or was silent five times in a row, asked or charged; then one start each 30 s goes
 * through as a probe. Inquiries and fences always pass: they are how doubts end. It belongs to one account at an acquirer:
 * with one for many accounts, one that is blocked would stop the payments of all.
 */
export const withCircuitBreaker = (
  gateway: Gateway,
  { elapsed, cardFingerprint }: CircuitBreakerDependencies,
): Gateway => {
  let silences = noSilences()
  let probeAt = 0
  let asked: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  const isOpen = (): boolean => countOf(silences) >= SILENCES_TO_OPEN
  const countSilence = (card: string | null): void => {
    // No more cards are remembered than it takes to open.
    if (isOpen()) return
    if (card === null) silences.ofReadyChecks += 1
    else silences.ofCards.set(card, (silences.ofCards.get(card) ?? 0) + 1)
    if (isOpen()) probeAt = elapsed() + PROBE_INTERVAL_MS
  }
  const askReadiness = async (): Promise<Readiness> => {
    const answer = await gateway.ready()
    if (answer === 'silent') countSilence(null)
    // Being ready does not end a row with silent charges: the acquirer may answer health checks and charge nothing.
    if (answer === 'ready' && silences.ofCards.size === 0) silences = noSilences()
    return answer
  }
  const cachedReadiness = (): Promise<Readiness> => {
    const now = elapsed()
    if (asked === undefined || now - asked.at >= READINESS_CACHE_MS) asked = { at: now, answer: askReadiness() }
    return asked.answer
  }
  const countOutcome = (outcome: ChargeOutcome, card: string): void => {
    // A charge that was given up after a silence charges nobody, and does not prove that the acquirer answers.
    if ('isSilence' in outcome && outcome.isSilence) countSilence(card)
    // An answer that decides nothing is no silence: the acquirer is there.
    else if (outcome.outcome !== 'unknown') silences = noSilences()
  }
  /** Before the charge: the number may be wiped when it ends. One that is wiped already is charged to nobody. */
  const fingerprintOf = (number: CardNumber): string => (number.isWiped ? 'wiped' : cardFingerprint(number))

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
    charge: async (order, remember) => {
      const card = fingerprintOf(order.card.number)
      const outcome = await gateway.charge(order, remember)
      countOutcome(outcome, card)
      return outcome
    },
  }
}
