import type { Figures } from './figures.ts'
import { notedIn, provenJourneys, type TellJourneys } from './journeys.ts'

/** Drops the answer to a charge that was made in every way there is; each shopper must end on the receipt all the same. */
export const prove = async (_: readonly string[], tell?: TellJourneys): Promise<Figures> => {
  const journey = 'a-pay-answer-that-is-dropped-ends-on-the-receipt'
  const { passed, failed, told } = await provenJourneys([journey], 'all', tell)
  const sum = (name: string): number => notedIn(told, name).reduce((total, each) => total + each, 0)
  return {
    journeys: passed,
    failures: failed,
    dropped: sum('dropped'),
    receipts: sum('receipt'),
    lastWordFailed: sum('lastWordFailed'),
    everSaidFailed: sum('everSaidFailed'),
    mostChargesOfOneCheckout: Math.max(...notedIn(told, 'charges')),
  }
}
