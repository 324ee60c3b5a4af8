import { runJourneys, type JourneyReport, type JourneyResult } from '../../tools/test/run-journeys.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'

/** Journeys that must all pass: a proof whose journeys failed, were skipped or never ran has proven nothing. */
export type RunJourneys = typeof runJourneys

const buildAndRunJourneys: RunJourneys = async (args, which) => {
  await ensureBuilt()
  return runJourneys(args, which)
}

/** Refuses every run but one in which all passed. */
export const runPassingJourneys = async (
  args: readonly string[],
  which: 'usual' | 'all',
  run: RunJourneys = buildAndRunJourneys,
): Promise<JourneyReport> => {
  const report = await run(args, which)
  const { code, passed, failed, skipped } = report
  if (failed > 0) throw new CommandError(`${failed} of ${passed + failed} journeys failed, see above`)
  if (passed === 0) throw new CommandError('no journey ran, see above')
  if (skipped > 0) throw new CommandError(`${skipped} of ${passed + skipped} journeys were skipped, see above`)
  if (code !== 0) throw new CommandError(`playwright ended with ${code}, see above`)
  return report
}

/** The numbers that journeys annotated under this name; none is an error, because a sum or maximum of none says nothing. */
export const annotatedNumbers = (journeys: readonly JourneyResult[], name: string): number[] => {
  const numbers = journeys.flatMap(({ annotations }) => annotations.get(name) ?? []).map(Number)
  if (numbers.length > 0 && numbers.every(Number.isFinite)) return numbers
  throw new CommandError(`the journeys noted no number of ${name}`)
}
