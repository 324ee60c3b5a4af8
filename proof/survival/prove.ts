/** Proof, survival: in every state of a payment the page is reloaded, closed or cut off from the network; each is paid once. */
import { countDistinct, journeyProof } from '../journeys/journey-proof.ts'

export const { parameters, measure } = journeyProof(['a-payment-survives-whatever-the-browser-does'], (journeys) => ({
  moments: countDistinct(journeys, /^(.*): the (?:page|network) is /),
}))
