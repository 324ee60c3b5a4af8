/** Journey proof: journeys that must all pass. If one fails, is skipped or never runs, the proof fails. */
import { runJourneys } from '../../tools/test/run-journeys.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'

export type RunJourneys = typeof runJourneys

export interface JourneyResult {
  readonly title: string
  readonly annotations: ReadonlyMap<string, string>
}

const recordsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const annotationsOf = (spec: Record<string, unknown>): Map<string, string> =>
  new Map(
    recordsIn(spec['tests'])
      .flatMap((test) => recordsIn(test['annotations']))
      .map(({ type, description }) => [String(type), String(description)]),
  )

/** Playwright's report, or a suite in it, journey by journey, each with the annotations that it left for a proof. */
export const journeysIn = (suite: unknown): JourneyResult[] =>
  isRecord(suite)
    ? [
        ...recordsIn(suite['specs']).map((spec) => ({
          title: String(spec['title']),
          annotations: annotationsOf(spec),
        })),
        ...recordsIn(suite['suites']).flatMap(journeysIn),
      ]
    : []

/** Refuses every run but one in which all passed. */
export const runPassingJourneys = async (
  args: readonly string[],
  which: 'usual' | 'all',
  run: RunJourneys = runJourneys,
) => {
  const { passed, failed, skipped, report } = await run(args, which)
  if (failed > 0) throw new CommandError(`${failed} of ${passed + failed} journeys failed, see above`)
  if (passed === 0) throw new CommandError('no journey ran, see above')
  if (skipped > 0) throw new CommandError(`${skipped} of ${passed + skipped} journeys were skipped, see above`)
  return { passed, failed, journeys: journeysIn(report) }
}

/** The numbers that journeys annotated under this name. None is an error: the sum or maximum of no numbers proves nothing. */
export const annotatedNumbers = (journeys: readonly JourneyResult[], name: string): number[] => {
  const numbers = journeys.flatMap(({ annotations }) => annotations.get(name) ?? []).map(Number)
  if (numbers.length > 0 && numbers.every(Number.isFinite)) return numbers
  throw new CommandError(`the journeys noted no number of ${name}`)
}

/** How many different texts the first group of this pattern finds among the titles. */
export const countDistinct = (journeys: readonly JourneyResult[], title: RegExp): number =>
  new Set(journeys.flatMap((journey) => title.exec(journey.title)?.[1] ?? [])).size

/** A proof that runs the journeys of one file, or all, and takes no parameters. */
export const journeyProof = (
  files: readonly string[],
  figuresOf: (journeys: readonly JourneyResult[]) => Figures = () => ({}),
) => ({
  parameters: '',
  measure: async (_: readonly string[], run?: RunJourneys): Promise<Figures> => {
    const { passed, failed, journeys } = await runPassingJourneys(files, 'all', run)
    return { journeys: passed, failures: failed, ...figuresOf(journeys) }
  },
})
