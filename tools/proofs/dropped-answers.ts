import { runJourneys } from '../journeys.ts'
import { ensureBuilt } from '../page-build.ts'
import type { Figures } from '../prove.ts'
import { Refusal } from '../say.mjs'

/** Drops the answer to a charge that was made in every way there is; each shopper must end on the receipt all the same. */
export const prove = async (): Promise<Figures> => {
  await ensureBuilt()
  const { failed, told } = await runJourneys(['a-pay-answer-that-is-dropped-ends-on-the-receipt'], 'all')
  if (told.length === 0) throw new Refusal('no journey ran')
  const noted = (name: string): number[] => told.flatMap(({ notes }) => notes.get(name) ?? []).map(Number)
  const sum = (name: string): number => noted(name).reduce((total, each) => total + each, 0)
  return {
    journeys: told.length,
    failures: failed,
    dropped: sum('dropped'),
    receipts: sum('receipt'),
    lastWordFailed: sum('lastWordFailed'),
    everSaidFailed: sum('everSaidFailed'),
    mostChargesOfOneCheckout: Math.max(...noted('charges')),
  }
}
