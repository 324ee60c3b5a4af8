/** Proof, 3-D Secure scenarios: each with every one of its cards in the browser; the acquirer's list says what was charged. */
import { annotatedNumbers, countDistinct, journeyProof } from '../journeys/journey-proof.ts'

export const { parameters, measure } = journeyProof(['every-scenario-ends-where-it-should'], (journeys) => {
  const charges = annotatedNumbers(journeys, 'charges')
  return {
    scenarios: countDistinct(journeys, /^scenario (\d+):/),
    checkoutsAskedAtTheAcquirer: charges.length,
    checkoutsCharged: charges.filter((count) => count > 0).length,
    mostChargesOfOneCheckout: Math.max(...charges),
  }
})
