/** Proof, dropped pay answers: the card is charged and the answer is lost in every way; each shopper must end on the receipt. */
import { annotatedNumbers, journeyProof } from '../journeys/journey-proof.ts'

export const { parameters, measure } = journeyProof(
  ['a-pay-answer-that-is-dropped-ends-on-the-receipt'],
  (journeys) => {
    const sum = (name: string): number => annotatedNumbers(journeys, name).reduce((total, each) => total + each, 0)
    return {
      dropped: sum('dropped'),
      receipts: sum('receipt'),
      lastWordFailed: sum('lastWordFailed'),
      everSaidFailed: sum('everSaidFailed'),
      mostChargesOfOneCheckout: Math.max(...annotatedNumbers(journeys, 'charges')),
    }
  },
)
