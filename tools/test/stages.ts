import { globSync } from 'node:fs'
import { join } from 'node:path'
import { runJourneys } from './journeys.ts'
import { leashed, runKept } from '../exit-with-parent/spawn.mjs'
import { ensureBuilt } from '../build/page-build.ts'
import { startPostgres } from './postgres.ts'
import type { Counts } from './report.ts'
import { isRecord } from '../is-record.mjs'
import { root } from '../setup/setup.mjs'

/** What a stage found. It failed when it names a problem; tests that failed are a problem too. */
export interface Result {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly problem?: string
}

export interface Stage {
  readonly name: string
  /** On 2 quiet cores. All of them together are the 9 minutes that `npm test` may take. */
  readonly budgetSeconds: number
  run(options: { readonly playwright: readonly string[] }): Promise<Result>
}

const NOTHING_COUNTED = { passed: 0, failed: 0, skipped: 0 }

const script = (name: string): string => join('node_modules', ...name.split('/'))

/** Runs tools one after the other and shows what the first that found fault had to say. */
const tools = async (...calls: [name: string, ...args: string[]][]): Promise<Result> => {
  for (const [name, ...args] of calls) {
    const { code, output } = await runKept(process.execPath, [script(name), ...args], { cwd: root })
    if (code === 0) continue
    process.stdout.write(output)
    return { ...NOTHING_COUNTED, problem: `${[name.split('/').at(-1), ...args].join(' ')} ended with ${code}` }
  }
  return NOTHING_COUNTED
}

const readCounts = (message: unknown): Counts | undefined => {
  if (!isRecord(message)) return undefined
  const { passed, failed, skipped, postgres } = message
  if (typeof passed !== 'number' || typeof failed !== 'number') return undefined
  if (typeof skipped !== 'number' || typeof postgres !== 'number') return undefined
  return { passed, failed, skipped, postgres }
}

const testFiles = (files: readonly string[], env: NodeJS.ProcessEnv): Promise<Counts | undefined> =>
  new Promise((resolve) => {
    let counts: Counts | undefined
    const child = leashed(process.execPath, ['tools/test/node-tests.ts', ...files], {
      cwd: root,
      env,
      onMessage: (message) => (counts = readCounts(message) ?? counts),
    })
    child.on('close', () => resolve(counts))
  })

/** Test files that match nothing, or hold nothing that ran, are a failure: silence would pass for success. */
const nodeTests = async (
  patterns: readonly string[],
  env: NodeJS.ProcessEnv = {},
  exclude: readonly string[] = [],
): Promise<Result & { readonly postgres: number }> => {
  const files = globSync([...patterns], { cwd: root, exclude: ['node_modules', 'dist', 'data', ...exclude] }).toSorted()
  const none = { ...NOTHING_COUNTED, postgres: 0 }
  if (files.length === 0) return { ...none, problem: `no test file matches ${patterns.join(' ')}` }
  const counts = await testFiles(files, { ...process.env, ...env })
  if (counts === undefined) return { ...none, problem: 'the test runner ended without a result' }
  if (counts.failed > 0) return { ...counts, problem: `${counts.failed} failed` }
  return counts.passed === 0 ? { ...counts, problem: 'no test ran' } : counts
}

const withPostgres = async (patterns: readonly string[], exclude: readonly string[] = []): Promise<Result> => {
  const postgres = await startPostgres(process.env)
  try {
    process.stdout.write(`  ${postgres.label}\n`)
    const result = await nodeTests(patterns, { TEST_DATABASE_URL: postgres.url }, exclude)
    return result.problem === undefined && result.postgres === 0
      ? { ...result, problem: 'no test ran on PostgreSQL' }
      : result
  } finally {
    await postgres.stop()
  }
}

const journeys = async (args: readonly string[]): Promise<Result> => {
  await ensureBuilt()
  const { code, passed, failed, skipped } = await runJourneys(args)
  const sums = { passed, failed, skipped }
  if (sums.failed > 0) return { ...sums, problem: `${sums.failed} failed` }
  if (code !== 0) return { ...sums, problem: `playwright ended with ${code}` }
  return sums.passed === 0 ? { ...sums, problem: 'no journey ran' } : sums
}

export const STAGES: readonly Stage[] = [
  { name: 'types', budgetSeconds: 8, run: () => tools(['typescript/bin/tsc', '-p', '.']) },
  {
    name: 'lint',
    budgetSeconds: 10,
    run: () =>
      tools(
        ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
        ['oxfmt/bin/oxfmt', '--check'],
        ['knip/bin/knip.js'],
      ),
  },
  { name: 'tidy', budgetSeconds: 3, run: () => nodeTests(['tidy.test.ts']) },
  { name: 'unit', budgetSeconds: 35, run: () => nodeTests(['{contract,payment,page,tools}/**/*.test.ts']) },
  { name: 'sandbox', budgetSeconds: 20, run: () => nodeTests(['sandbox/**/*.test.ts']) },
  {
    name: 'build',
    budgetSeconds: 4,
    run: async () => {
      await ensureBuilt()
      return NOTHING_COUNTED
    },
  },
  {
    name: 'server',
    budgetSeconds: 140,
    run: () => withPostgres(['{server,proof}/**/*.test.ts'], ['proof/simulation']),
  },
  { name: 'simulation', budgetSeconds: 105, run: () => withPostgres(['proof/simulation/*.test.ts']) },
  { name: 'journeys', budgetSeconds: 215, run: ({ playwright }) => journeys(playwright) },
]
