/** Catch a planted bug: runs its schedule of the simulation, or its test, on a patched copy of the code. */
import { execFile } from 'node:child_process'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { createPatchedCopy } from './patched-copy.ts'
import type { PlantedBug } from './planted-bug.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { argumentsFor } from '../simulation/regressions.ts'
import { WORKLOADS } from '../simulation/workloads.ts'

/** How long the simulator may look for a bug that its own schedule does not show any more. */
const SEARCH_SECONDS = '20'
const PROCESS_TIMEOUT_MS = 120_000

const runNode = (folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<string>((resolve) => {
    const options = { cwd: folder, timeout: PROCESS_TIMEOUT_MS, env: { PATH: process.env['PATH'] ?? '', ...env } }
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout))
  })

const SimulationReport = Type.Object({
  failures: Type.Array(Type.Object({ command: Type.String(), brokenPromises: Type.Array(Type.String()) })),
})

/** The broken promise and the command that shows it. Undefined when nothing broke, or when nothing ran at all. */
const firstBrokenPromise = async (folder: string, args: readonly string[]): Promise<string | undefined> => {
  const report: unknown = JSON.parse((await runNode(folder, ['proof/simulation/main.ts', ...args])).trim() || 'null')
  if (!Check(SimulationReport, report)) return undefined
  const [failure] = report.failures
  return failure === undefined ? undefined : `${failure.brokenPromises[0]} (${failure.command})`
}

const caughtBySimulation = async (folder: string, known: readonly string[]): Promise<string | undefined> => {
  const found = await firstBrokenPromise(folder, known)
  if (found !== undefined) return found
  // The code has changed since the schedule was written down: some workload must still show the bug.
  for (const workload of Object.keys(WORKLOADS)) {
    const search = `--workload ${workload} --runs 10000 --checkouts 5 --seconds ${SEARCH_SECONDS} --first`
    const other = await firstBrokenPromise(folder, search.split(' '))
    if (other !== undefined) return `${other}, by another schedule: write that one down in planted-bugs.ts`
  }
  return undefined
}

/** Its first test that failed, or the file itself where it could not be loaded. */
const firstFailure = async (folder: string, file: string, databaseUrl: string): Promise<string | undefined> => {
  const args = ['--test', '--test-reporter=tap', file]
  const output = await runNode(folder, args, { TEST_DATABASE_URL: databaseUrl })
  const [failed] = output.matchAll(/^\s*not ok \d+ - (.+)$/gm)
  if (failed !== undefined) return `${file}: ${failed[1] ?? ''}`
  return /^\s*ok \d+ - /m.test(output) ? undefined : `${file}: it ran no test`
}

/** The test files that are to catch bugs. */
export const catchersAmong = (bugs: readonly PlantedBug[]): string[] => [
  ...new Set(bugs.flatMap(({ caughtBy }) => (typeof caughtBy === 'string' ? [caughtBy] : []))),
]

/**
 * A test that cannot be loaded, or that misses its database, fails with every bug and catches none: so each must pass on the code
 * as it is first.
 */
export const assertPassWithoutBug = async (files: readonly string[], databaseUrl: string): Promise<void> => {
  const { folder, remove } = createPatchedCopy(null)
  try {
    for (const file of files) {
      const failure = await firstFailure(folder, file, databaseUrl)
      if (failure !== undefined)
        throw new CommandError(`it can catch nothing, because it fails without a bug: ${failure}`)
    }
  } finally {
    remove()
  }
}

/** What caught the bug; undefined if nothing did. */
export const findCatcher = async (bug: PlantedBug, databaseUrl: string): Promise<string | undefined> => {
  const { folder, remove } = createPatchedCopy(bug)
  try {
    return await (typeof bug.caughtBy === 'string'
      ? firstFailure(folder, bug.caughtBy, databaseUrl)
      : caughtBySimulation(folder, argumentsFor(bug.caughtBy)))
  } finally {
    remove()
  }
}
