/** Proof, journeys: every journey there is, also those that `npm test` has no time for. */
import { journeyProof } from './journey-proof.ts'

export const { parameters, measure } = journeyProof([])
