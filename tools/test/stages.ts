/** Test stages: what `npm test` runs, in order. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { runJourneys } from './run-journeys.ts'
import { runAndCapture } from '../exit-with-parent.ts'
import { ensureBuilt } from '../build/page-build.ts'
import { startPostgres } from './postgres.ts'
import { ensureTypeboxBundled, quickImportOptions } from './bundle-typebox.ts'
import { createTemplateDatabase } from '../../proof/harness/databases.ts'
import { runTestFiles } from './test-batches.ts'
import { ROOT } from '../root.ts'

/** A stage failed when it names a problem; tests that failed are a problem too. */
export interface StageResult {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly problem?: string
}

export interface Stage {
  readonly name: string
  /** On 2 quiet cores. All of them together are the 9 minutes that `npm test` may take. */
  readonly budgetSeconds: number
  run(options: { readonly playwrightArgs: readonly string[] }): Promise<StageResult>
}

const NO_TESTS = { passed: 0, failed: 0, skipped: 0 }

const packageScript = (name: string): string => join('node_modules', ...name.split('/'))

/** Runs tools beside each other and prints the output of each that fails. */
const runTools = async (...calls: [name: string, ...args: string[]][]): Promise<StageResult> => {
  const problems = await Promise.all(
    calls.map(async ([name, ...args]) => {
      const { code, output } = await runAndCapture(process.execPath, [packageScript(name), ...args], { cwd: ROOT })
      if (code === 0) return []
      process.stdout.write(output)
      return [`${[name.split('/').at(-1), ...args].join(' ')} ended with ${code}`]
    }),
  )
  const [problem] = problems.flat()
  return problem === undefined ? NO_TESTS : { ...NO_TESTS, problem }
}

/** Patterns that match no file, and files in which no test ran, are a failure: they would look like success. */
const runNodeTests = async (
  patterns: readonly string[],
  env: NodeJS.ProcessEnv = {},
  exclude: readonly string[] = [],
): Promise<StageResult & { readonly postgres: number }> => {
  const files = globSync([...patterns], { cwd: ROOT, exclude: ['node_modules', 'dist', 'data', ...exclude] }).toSorted()
  const none = { ...NO_TESTS, postgres: 0 }
  if (files.length === 0) return { ...none, problem: `no test file matches ${patterns.join(' ')}` }
  await ensureTypeboxBundled()
  const counts = await runTestFiles(files, { ...process.env, ...env, NODE_OPTIONS: quickImportOptions(process.env) })
  if ('problem' in counts) return { ...none, problem: counts.problem }
  if (counts.failed > 0) return { ...counts, problem: `${counts.failed} failed` }
  return counts.passed === 0 ? { ...counts, problem: 'no test ran' } : counts
}

const runNodeTestsWithPostgres = async (patterns: readonly string[]): Promise<StageResult> => {
  const postgres = await startPostgres(process.env)
  try {
    process.stdout.write(`  ${postgres.label}\n`)
    const template = await createTemplateDatabase(postgres.url)
    const env = { TEST_DATABASE_URL: postgres.url, TEST_DATABASE_TEMPLATE: template.name }
    const result = await runNodeTests(patterns, env)
    await template.drop()
    return result.problem === undefined && result.postgres === 0
      ? { ...result, problem: 'no test ran on PostgreSQL' }
      : result
  } finally {
    await postgres.stop()
  }
}

const runJourneyStage = async (args: readonly string[]): Promise<StageResult> => {
  await ensureBuilt()
  const { code, passed, failed, skipped } = await runJourneys(args)
  const counts = { passed, failed, skipped }
  if (failed > 0) return { ...counts, problem: `${failed} failed` }
  if (code !== 0) return { ...counts, problem: `playwright ended with ${code}` }
  return passed === 0 ? { ...counts, problem: 'no journey ran' } : counts
}

/** Tests of benches that need PostgreSQL or a built page. */
const BENCHES_ON_A_SERVER = ['bench/server/bench-server.test.ts']

export const STAGES: readonly Stage[] = [
  {
    name: 'types',
    budgetSeconds: 13,
    // Each checker works out the types of the contract again: four, the default, take twice the CPU time of one.
    run: () =>
      runTools(
        ['typescript/bin/tsc', '--checkers', '2', '-p', '.'],
        ['typescript/bin/tsc', '--checkers', '1', '-p', 'page'],
        ['typescript/bin/tsc', '--checkers', '1', '-p', 'console'],
      ),
  },
  {
    name: 'lint',
    budgetSeconds: 18,
    run: () =>
      runTools(
        ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
        ['oxfmt/bin/oxfmt', '--check'],
        ['knip/bin/knip.js'],
      ),
  },
  { name: 'tidy', budgetSeconds: 2, run: () => runNodeTests(['tidy.test.ts']) },
  {
    name: 'unit',
    budgetSeconds: 45,
    run: () =>
      runNodeTests(['{contract,payment,page,console,sandbox,tools,bench}/**/*.test.ts'], {}, BENCHES_ON_A_SERVER),
  },
  {
    name: 'build',
    budgetSeconds: 14,
    run: async () => {
      await ensureBuilt()
      return NO_TESTS
    },
  },
  {
    name: 'server',
    budgetSeconds: 278,
    run: () => runNodeTestsWithPostgres(['{server,proof}/**/*.test.ts', ...BENCHES_ON_A_SERVER]),
  },
  { name: 'journeys', budgetSeconds: 170, run: ({ playwrightArgs }) => runJourneyStage(playwrightArgs) },
]
