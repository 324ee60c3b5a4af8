import type { Figures } from '../../tools/measurement/figures.ts'
import { annotatedNumbers, runPassingJourneys, type RunJourneys } from '../journeys/passing-journeys.ts'

/** Proof, dropped pay answers: the card is charged and the answer is lost in every way; each shopper must end on the receipt. */
export const measure = async (_: readonly string[], run?: RunJourneys): Promise<Figures> => {
  const file = 'a-pay-answer-that-is-dropped-ends-on-the-receipt'
  const { passed, failed, journeys } = await runPassingJourneys([file], 'all', run)
  const sum = (name: string): number => annotatedNumbers(journeys, name).reduce((total, each) => total + each, 0)
  return {
    journeys: passed,
    failures: failed,
    dropped: sum('dropped'),
    receipts: sum('receipt'),
    lastWordFailed: sum('lastWordFailed'),
    everSaidFailed: sum('everSaidFailed'),
    mostChargesOfOneCheckout: Math.max(...annotatedNumbers(journeys, 'charges')),
  }
}
