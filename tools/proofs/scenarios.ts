import { runJourneys } from '../journeys.ts'
import { ensureBuilt } from '../page-build.ts'
import type { Figures } from '../prove.ts'
import { Refusal } from '../say.mjs'

/** Tells every scenario of 3-D Secure with each of its cards in the browser; the acquirer's list says what was charged. */
export const prove = async (): Promise<Figures> => {
  await ensureBuilt()
  const { failed, told } = await runJourneys(['every-scenario-ends-where-it-should'], 'all')
  if (told.length === 0) throw new Refusal('no journey ran')
  const scenarios = new Set(told.map(({ title }) => /^scenario (\d+):/.exec(title)?.[1]))
  const charges = told.flatMap(({ notes }) => notes.get('charges') ?? []).map(Number)
  return {
    scenarios: scenarios.size,
    journeys: told.length,
    failures: failed,
    checkoutsAskedAtTheAcquirer: charges.length,
    checkoutsCharged: charges.filter((count) => count > 0).length,
    mostChargesOfOneCheckout: Math.max(...charges),
  }
}
