/** Runs one proof or one bench, and writes its figures with their commit to a file of docs/. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onParentExit } from '../exit-with-parent.ts'
import type { Figures } from '../measurement/figures.ts'
import { CannotRunHere, CommandError } from '../command-error.mjs'
import { committed } from '../git.ts'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { runCommand } from '../run-command.ts'
import { writeAges } from './figure-age.ts'
import { CANNOT_RUN_HERE, runAll } from './run-all.ts'
import { writePerformanceTables } from './performance-tables.ts'
import { writeFiguresToReadme } from './readme-figures.ts'

/** What `proof/<name>/prove.ts` and `bench/<name>/bench.ts` export. */
interface Measurement {
  /** What may follow its name on the command line. */
  readonly parameters: string
  /** Null: only a part was measured, and no figures are written. */
  measure(args: readonly string[]): Promise<Figures | null>
}

const isMeasurement = (module: unknown): module is Measurement =>
  isRecord(module) && typeof module['parameters'] === 'string' && typeof module['measure'] === 'function'

/** The measurements of one command, the commit they are made on, and the file that their figures are written to. */
export interface MeasurementSetup {
  readonly command: 'prove' | 'bench'
  readonly names: readonly string[]
  load(name: string): Promise<Measurement>
  commit(): Promise<string>
  readonly resultsFile: string
  /** Writes the documents that show the figures. */
  writeDocuments(): Promise<void>
}

/** A folder with this file is a measurement: no list names it. */
const PLACES = {
  prove: { folder: join(ROOT, 'proof'), file: 'prove.ts', results: 'proof.json' },
  bench: { folder: join(ROOT, 'bench'), file: 'bench.ts', results: 'bench.json' },
} as const

export const measurementsOf = (command: MeasurementSetup['command']): MeasurementSetup => {
  const { folder, file, results } = PLACES[command]
  return {
    command,
    names: readdirSync(folder).filter((name) => existsSync(join(folder, name, file))),
    load: async (name) => {
      const module: unknown = await import(join(folder, name, file))
      if (!isMeasurement(module)) throw new Error(`${name}/${file} exports no parameters or no measure`)
      return module
    },
    commit: committed,
    resultsFile: join(ROOT, 'docs', results),
    writeDocuments: async () => {
      await writeAges(ROOT)
      writeFiguresToReadme(ROOT)
      writePerformanceTables(ROOT)
    },
  }
}

/** The text of a file of figures with one entry replaced; the others stay as they are. */
export const withEntry = (text: string, name: string, entry: Record<string, unknown>): string => {
  const results: unknown = JSON.parse(text)
  const entries = Object.entries({ ...(isRecord(results) ? results : {}), [name]: entry })
  return `${JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`
}

/** How long each took the last time; one without figures is taken to be the longest. */
const lastSeconds = (text: string, name: string): number => {
  const results: unknown = JSON.parse(text)
  const entry = isRecord(results) ? results[name] : undefined
  return isRecord(entry) ? Number(entry['seconds']) : Number.MAX_VALUE
}

const readText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '{}')

/** The quick ones first: whoever stops it early has the most. */
const runEach = async ({ names, resultsFile, commit }: MeasurementSetup): Promise<number> => {
  onParentExit(() => process.exit(1))
  await commit()
  const before = readText(resultsFile)
  const inOrder = names.toSorted((a, b) => lastSeconds(before, a) - lastSeconds(before, b))
  return runAll(inOrder, (text) => process.stdout.write(text))
}

const listAll = async ({ command, names, load }: MeasurementSetup): Promise<string> => {
  const known = names.map(async (name) => `  npm run ${command} -- ${name} ${(await load(name)).parameters}`.trimEnd())
  return [...(await Promise.all(known)), `  npm run ${command} -- all`].join('\n')
}

export const runMeasurement = async (args: readonly string[], setup: MeasurementSetup): Promise<number> => {
  const [name, ...rest] = args
  const { command, names, load, resultsFile } = setup
  if (name === 'all' && rest.length === 0) return runEach(setup)
  if (name === undefined || !names.includes(name)) {
    const problem = name === undefined ? `${command} what?` : `there is no ${args.join(' ')} to ${command}.`
    printProgress(`${problem}\n${await listAll(setup)}`)
    return 1
  }
  const { parameters, measure } = await load(name)
  if (parameters === '' && rest.length > 0)
    throw new CommandError(`${name} takes nothing, not ${rest.join(' ')}: npm run ${command} -- ${name}`)
  onParentExit(() => process.exit(1))
  const commit = await setup.commit()
  const started = performance.now()
  const figures = await measure(rest).catch((error: unknown) => {
    if (!(error instanceof CannotRunHere)) throw error
    printProgress(`cannot run here: ${error.message}`)
    return CANNOT_RUN_HERE
  })
  if (figures === CANNOT_RUN_HERE) return CANNOT_RUN_HERE
  if (figures === null) return 0
  const seconds = Math.round((performance.now() - started) / 100) / 10
  mkdirSync(dirname(resultsFile), { recursive: true })
  const entry = { date: new Date().toISOString(), commit, seconds, figures }
  writeFileSync(resultsFile, withEntry(readText(resultsFile), name, entry))
  await setup.writeDocuments()
  process.stdout.write(`${name}: ${JSON.stringify(figures)} in ${seconds} s\n`)
  return 0
}

if (import.meta.main)
  await runCommand(async ([command, ...args]) =>
    runMeasurement(args, measurementsOf(command === 'bench' ? command : 'prove')),
  )
