import { runJourneys, type JourneyCounts, type Told } from '../../test/journeys.ts'
import { ensureBuilt } from '../../build/page-build.ts'
import { CommandError } from '../../command-error.mjs'

export type TellJourneys = typeof runJourneys

const tellBuilt: TellJourneys = async (args, which) => {
  await ensureBuilt()
  return runJourneys(args, which)
}

/** Tells journeys that must all end well. A proof whose journeys failed, were skipped or never ran has proven nothing. */
export const provenJourneys = async (
  args: readonly string[],
  which: 'usual' | 'all',
  tell: TellJourneys = tellBuilt,
): Promise<JourneyCounts> => {
  const counts = await tell(args, which)
  const { code, passed, failed, skipped } = counts
  if (failed > 0) throw new CommandError(`${failed} of ${passed + failed} journeys failed, see above`)
  if (passed === 0) throw new CommandError('no journey ran, see above')
  if (skipped > 0) throw new CommandError(`${skipped} of ${passed + skipped} journeys were skipped, see above`)
  if (code !== 0) throw new CommandError(`playwright ended with ${code}, see above`)
  return counts
}

/** What journeys noted under this name, a number each: the sum or the largest of none would be a figure of nothing. */
export const notedIn = (told: readonly Told[], name: string): number[] => {
  const noted = told.flatMap(({ notes }) => notes.get(name) ?? []).map(Number)
  if (noted.length > 0 && noted.every(Number.isFinite)) return noted
  throw new CommandError(`the journeys noted no number of ${name}`)
}
