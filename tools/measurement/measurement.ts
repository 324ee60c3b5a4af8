/** Measurement: a long run whose figures are written, with their commit, to a file of docs/: a proof or a bench. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onParentExit } from '../exit-with-parent/watch-parent.mjs'
import type { Figures } from './figures.ts'
import { CommandError } from '../command-error.mjs'
import { committed } from '../git.ts'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'
import { writeFiguresToReadme } from './readme-figures.ts'
import { ROOT } from '../setup/setup.mjs'

export interface Measurement {
  /** What may follow its name on the command line. */
  readonly parameters: string
  /** Null: a part of it was measured, of which nothing is written. */
  load(): Promise<{ measure(args: readonly string[]): Promise<Figures | null> }>
}

/** The measurements of one command, the commit they are made on, and the file that their figures are written to. */
export interface MeasurementSetup {
  readonly command: 'prove' | 'bench'
  readonly measurements: Readonly<Record<string, Measurement>>
  commit(): Promise<string>
  readonly resultsFile: string
  /** What else is written from the figures. */
  afterwards(): void
}

export const measurementsOf = (
  command: MeasurementSetup['command'],
  measurements: MeasurementSetup['measurements'],
  file: string,
): MeasurementSetup => ({
  command,
  measurements,
  commit: committed,
  resultsFile: join(ROOT, 'docs', file),
  afterwards: () => writeFiguresToReadme(ROOT),
})

/** The text of a file of figures with one entry replaced; the others stay as they are. */
export const withEntry = (text: string, name: string, entry: Record<string, unknown>): string => {
  const results: unknown = JSON.parse(text)
  const entries = Object.entries({ ...(isRecord(results) ? results : {}), [name]: entry })
  return `${JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`
}

const readResults = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '{}'
  }
}

export const runMeasurement = async (args: readonly string[], setup: MeasurementSetup): Promise<number> => {
  onParentExit(() => process.exit(1))
  const [name, ...rest] = args
  const { command, measurements } = setup
  const measurement = name !== undefined && Object.hasOwn(measurements, name) ? measurements[name] : undefined
  if (name === undefined || measurement === undefined) {
    const problem = name === undefined ? `${command} what?` : `there is no ${name} to ${command}.`
    const known = Object.entries(measurements).map(([each, { parameters: takes }]) =>
      `  npm run ${command} -- ${each} ${takes}`.trimEnd(),
    )
    printProgress([problem, ...known].join('\n'))
    return 1
  }
  if (measurement.parameters === '' && rest.length > 0) {
    throw new CommandError(`${name} takes nothing, not ${rest.join(' ')}: npm run ${command} -- ${name}`)
  }
  const commit = await setup.commit()
  const { measure } = await measurement.load()
  const started = performance.now()
  const figures = await measure(rest)
  if (figures === null) return 0
  const seconds = Math.round((performance.now() - started) / 100) / 10
  mkdirSync(dirname(setup.resultsFile), { recursive: true })
  const entry = { date: new Date().toISOString(), commit, seconds, figures }
  writeFileSync(setup.resultsFile, withEntry(readResults(setup.resultsFile), name, entry))
  setup.afterwards()
  process.stdout.write(`${name}: ${JSON.stringify(figures)} in ${seconds} s\n`)
  return 0
}
