import type { Figures } from '../../tools/measurement/figures.ts'
import { runPassingJourneys, type RunJourneys } from '../journeys/passing-journeys.ts'

/** Proof, survival: in every state of a payment the page is reloaded, closed or cut off from the network; each is paid once. */
export const measure = async (_: readonly string[], run?: RunJourneys): Promise<Figures> => {
  const file = 'a-payment-survives-whatever-the-browser-does'
  const { passed, failed, journeys } = await runPassingJourneys([file], 'all', run)
  const moments = new Set(journeys.flatMap(({ title }) => /^(.*): the (?:page|network) is /.exec(title)?.[1] ?? []))
  return { moments: moments.size, journeys: passed, failures: failed }
}
