import type { Figures } from './figures.ts'
import { CommandError } from '../../command-error.mjs'
import { provenJourneys, type TellJourneys } from './journeys.ts'
import { wholeNumber } from './whole-number.ts'

const USUAL_TIMES = '50'

/** Repeats every journey, or those of the named files: one that fails once in many runs fails here. */
export const prove = async (
  [times = USUAL_TIMES, ...names]: readonly string[],
  tell?: TellJourneys,
): Promise<Figures> => {
  const repeats = wholeNumber('the number of repeats', times, { from: 1, to: 1000 })
  // Playwright would take it for an option, and one that tries again hides what is looked for.
  const option = names.find((name) => name === '' || name.startsWith('-'))
  if (option !== undefined)
    throw new CommandError(
      `a journey is named by a part of its file's name, as in a-payment, not by ${JSON.stringify(option)}`,
    )
  const args = [`--repeat-each=${repeats}`, '--retries=0', ...names]
  const { passed, failed } = await provenJourneys(args, 'usual', tell)
  return { journeys: names.length === 0 ? 'all' : names.join(' '), repeats, runs: passed + failed, failures: failed }
}
