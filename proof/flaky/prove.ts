/** Proof, flaky journeys: repeats every journey, or those of the named files. If one fails once in many runs, the proof fails. */
import type { Figures } from '../../tools/measurement/figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { runPassingJourneys, type RunJourneys } from '../journeys/journey-proof.ts'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_REPEATS = '50'

export const parameters = "[repeats] [part of a journey's file name]…"

export const measure = async (
  [times = DEFAULT_REPEATS, ...names]: readonly string[],
  run?: RunJourneys,
): Promise<Figures> => {
  const repeats = wholeNumber('the number of repeats', times, { from: 1, to: 1000 })
  // Playwright would take it for an option, and --retries would hide a flaky journey.
  const option = names.find((name) => name === '' || name.startsWith('-'))
  if (option !== undefined)
    throw new CommandError(
      `a journey is named by a part of its file's name, as in a-payment, not by ${JSON.stringify(option)}`,
    )
  const args = [`--repeat-each=${repeats}`, '--retries=0', ...names]
  const { passed, failed } = await runPassingJourneys(args, 'usual', run)
  return { journeys: names.length === 0 ? 'all' : names.join(' '), repeats, runs: passed + failed, failures: failed }
}
