import type { Figures } from '../../tools/measurement/figures.ts'
import { annotatedNumbers, runPassingJourneys, type RunJourneys } from '../journeys/passing-journeys.ts'

/** Proof, 3-D Secure scenarios: each with every one of its cards in the browser; the acquirer's list says what was charged. */
export const measure = async (_: readonly string[], run?: RunJourneys): Promise<Figures> => {
  const file = 'every-scenario-ends-where-it-should'
  const { passed, failed, journeys } = await runPassingJourneys([file], 'all', run)
  const scenarios = new Set(journeys.flatMap(({ title }) => /^scenario (\d+):/.exec(title)?.[1] ?? []))
  const charges = annotatedNumbers(journeys, 'charges')
  return {
    scenarios: scenarios.size,
    journeys: passed,
    failures: failed,
    checkoutsAskedAtTheAcquirer: charges.length,
    checkoutsCharged: charges.filter((count) => count > 0).length,
    mostChargesOfOneCheckout: Math.max(...charges),
  }
}
