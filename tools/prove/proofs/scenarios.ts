import type { Figures } from './figures.ts'
import { notedIn, provenJourneys, type TellJourneys } from './journeys.ts'

/** Tells every scenario of 3-D Secure with each of its cards in the browser; the acquirer's list says what was charged. */
export const prove = async (_: readonly string[], tell?: TellJourneys): Promise<Figures> => {
  const { passed, failed, told } = await provenJourneys(['every-scenario-ends-where-it-should'], 'all', tell)
  const scenarios = new Set(told.flatMap(({ title }) => /^scenario (\d+):/.exec(title)?.[1] ?? []))
  const charges = notedIn(told, 'charges')
  return {
    scenarios: scenarios.size,
    journeys: passed,
    failures: failed,
    checkoutsAskedAtTheAcquirer: charges.length,
    checkoutsCharged: charges.filter((count) => count > 0).length,
    mostChargesOfOneCheckout: Math.max(...charges),
  }
}
