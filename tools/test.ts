/** npm test: its stages in order, up to the first that fails. What follows `--` is for Playwright. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build/page-build.ts'
import { CommandError } from './command-error.mjs'
import { runWithOutput } from './exit-with-parent.ts'
import { onParentExit, STOP_SIGNALS } from './exit-with-parent.ts'
import { ROOT } from './root.ts'
import { withTestDatabases } from './test/postgres.ts'
import { runJourneys } from './test/run-journeys.ts'
import { runTestFiles } from './test/test-files.ts'

type Counts = Partial<Readonly<Record<'passed' | 'failed' | 'skipped', number>>>

interface Stage {
  readonly name: string
  /** All its test files, or those that the command line names. */
  readonly files: readonly string[]
  run(files: readonly string[], playwrightArgs: readonly string[]): Promise<Counts>
}

// Each checker works out the types of the contract again: four, the default, take twice the CPU time of one.
const TYPES = ['2 -p .', '1 -p page', '1 -p console'].map((args) => `typescript/bin/tsc --checkers ${args}`)
const LINT = ['oxlint/bin/oxlint --type-aware --deny-warnings', 'oxfmt/bin/oxfmt --check', 'knip/bin/knip.js']

const runTools = async (calls: readonly string[]): Promise<Counts> => {
  const run = (call: string) => runWithOutput(process.execPath, `node_modules/${call}`.split(' '), { cwd: ROOT })
  const codes = await Promise.all(calls.map(run))
  return { failed: codes.filter((code) => code !== 0).length }
}

const filesOf = (pattern: string): readonly string[] => globSync(pattern, { cwd: ROOT }).toSorted()
const UNIT_TESTS = filesOf('{contract,payment,page,console,sandbox}/**/*.test.ts')
/** With those of the tools, which build and start programs. */
const SERVER_TESTS = filesOf('{server,proof,bench,tools}/**/*.test.ts')
const JOURNEYS = filesOf('journeys/*.spec.ts')

const runServerTests = async (files: readonly string[]): Promise<Counts> => {
  await ensureBuilt()
  const counts = await withTestDatabases(() => runTestFiles(files, 12))
  if (files === SERVER_TESTS && counts.onPostgres === 0) throw new CommandError('no test ran on PostgreSQL')
  return counts
}

const STAGES: readonly Stage[] = [
  { name: 'types', files: [], run: () => runTools(TYPES) },
  { name: 'lint', files: [], run: () => runTools(LINT) },
  { name: 'tidy', files: ['tidy.test.ts'], run: (files) => runTestFiles(files, 1) },
  { name: 'unit', files: UNIT_TESTS, run: (files) => runTestFiles(files, 8) },
  { name: 'build', files: [], run: () => ensureBuilt().then(() => ({})) },
  { name: 'server', files: SERVER_TESTS, run: runServerTests },
  {
    name: 'journeys',
    files: JOURNEYS,
    run: (files, args) => runJourneys(files === JOURNEYS ? args : [...files, ...args]),
  },
]

/** Those that the arguments name, as in `--only types,lint`, and those of the test files that they name. */
const chooseStages = (args: readonly string[], all: readonly Stage[]): readonly Stage[] => {
  if (args.length === 0) return all
  const names = args.filter((each) => each !== '--only').flatMap((each) => each.split(','))
  const chosen = all
    .map((stage) =>
      names.includes(stage.name) ? stage : { ...stage, files: stage.files.filter((file) => names.includes(file)) },
    )
    .filter(({ name, files }) => names.includes(name) || files.length > 0)
  const unknown = names.filter((each) => !chosen.some(({ name, files }) => name === each || files.includes(each)))
  if (chosen.length > 0 && unknown.length === 0) return chosen
  const known = all.map(({ name }) => name).join()
  throw new CommandError(`npm test does not know ${unknown.join()}: name test files, or --only ${known}`)
}

/** The last line has the totals of the stages that ran. */
export const runStages = async (args: readonly string[], all: readonly Stage[] = STAGES): Promise<number> => {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const totals = { passed: 0, failed: 0, skipped: 0 }
  try {
    for (const { name, files, run } of chooseStages(args.slice(0, end), all)) {
      const started = performance.now()
      const { passed = 0, failed = 0, skipped = 0 } = await run(files, args.slice(end + 1))
      totals.passed += passed
      totals.failed += failed
      totals.skipped += skipped
      process.stdout.write(`${name.padEnd(9)}${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s\n`)
      if (failed > 0) throw new CommandError(`${name} failed: npm test -- --only ${name}`)
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    totals.failed ||= 1
  }
  process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`)
  return totals.failed === 0 ? 0 : 1
}

if (import.meta.main) {
  onParentExit(() => process.exit(1))
  // What a stage started exits with this process (exit-with-parent).
  for (const signal of STOP_SIGNALS) process.on(signal, () => process.exit(130))
  // Many processes load the same files: without this each of them compiles them again, for half a second.
  process.env['NODE_COMPILE_CACHE'] ??= join(ROOT, 'dist', '.compiled')
  process.exit(await runStages(process.argv.slice(2)))
}
