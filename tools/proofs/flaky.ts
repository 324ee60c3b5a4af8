import { runJourneys } from '../journeys.ts'
import { ensureBuilt } from '../page-build.ts'
import type { Figures } from '../prove.ts'
import { Refusal } from '../say.mjs'

const usualTimes = 50

/** Repeats every journey: one that fails once in many runs fails here. */
export const prove = async (args: string[]): Promise<Figures> => {
  const [given = String(usualTimes)] = args
  const times = Number(given)
  if (!Number.isInteger(times) || times < 1 || times > 1000) {
    throw new Refusal(`flaky repeats each journey 1 to 1000 times, not ${given}: npm run prove -- flaky 50`)
  }
  await ensureBuilt()
  const { passed, failed, skipped } = await runJourneys([`--repeat-each=${times}`, '--retries=0'])
  if (passed + failed === 0) throw new Refusal('no journey ran')
  return { repeats: times, runs: passed + failed, failures: failed, skipped }
}
