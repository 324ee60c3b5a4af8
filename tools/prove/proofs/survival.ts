import type { Figures } from './figures.ts'
import { provenJourneys, type TellJourneys } from './journeys.ts'

/** Reloads, closes and cuts off the page in every state of a payment; each ends paid once, which the journeys ask for. */
export const prove = async (_: readonly string[], tell?: TellJourneys): Promise<Figures> => {
  const { passed, failed, told } = await provenJourneys(['a-payment-survives-whatever-the-browser-does'], 'all', tell)
  const moments = new Set(told.flatMap(({ title }) => /^(.*): the (?:page|network) is /.exec(title)?.[1] ?? []))
  return { moments: moments.size, journeys: passed, failures: failed }
}
