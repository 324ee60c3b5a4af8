import { runJourneys } from '../journeys.ts'
import { ensureBuilt } from '../page-build.ts'
import type { Figures } from '../prove.ts'
import { Refusal } from '../say.mjs'

/** Reloads, closes and cuts off the page in every state of a payment; each ends paid once, which the journeys ask for. */
export const prove = async (): Promise<Figures> => {
  await ensureBuilt()
  const { passed, failed, told } = await runJourneys(['a-payment-survives-whatever-the-browser-does'], 'all')
  if (told.length === 0) throw new Refusal('no journey ran')
  const moments = new Set(told.flatMap(({ title }) => /^(.*): the (?:page|network) is /.exec(title)?.[1] ?? []))
  return { moments: moments.size, journeys: passed + failed, failures: failed }
}
