/** Catch a planted bug: runs its schedule of the simulation, or its test, on a patched copy of the code. */
import { execFile } from 'node:child_process'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { createPatchedCopy } from './patched-copy.ts'
import type { PlantedBug } from './planted-bug.ts'
import { argumentsFor } from '../simulation/regressions.ts'
import { WORKLOADS } from '../simulation/workloads.ts'

/** How long the simulator may look for a bug that its own schedule does not show any more. */
const SEARCH_SECONDS = '20'
const PROCESS_TIMEOUT_MS = 60_000

const runNode = (folder: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = { cwd: folder, timeout: PROCESS_TIMEOUT_MS, env: { PATH: process.env['PATH'] ?? '' } }
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout))
  })

const SimulationReport = Type.Object({
  failures: Type.Array(Type.Object({ command: Type.String(), brokenPromises: Type.Array(Type.String()) })),
})

/** The broken promise and the command that shows it. Undefined when nothing broke, or when nothing ran at all. */
export const firstBrokenPromise = async (folder: string, args: readonly string[]): Promise<string | undefined> => {
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

/** The first test that failed. A file that could not even be loaded has caught nothing. */
export const caughtByTest = async (folder: string, file: string): Promise<string | undefined> => {
  const output = await runNode(folder, ['--test', '--test-reporter=tap', file])
  const failed = [...output.matchAll(/^\s*not ok \d+ - (.+)$/gm)].map(([, title = '']) => title)
  const title = failed.find((each) => !each.includes(file))
  return title === undefined ? undefined : `${file}: ${title}`
}

/** What caught the bug; undefined if nothing did. */
export const findCatcher = async (bug: PlantedBug): Promise<string | undefined> => {
  const { folder, remove } = createPatchedCopy(bug)
  try {
    return await (typeof bug.caughtBy === 'string'
      ? caughtByTest(folder, bug.caughtBy)
      : caughtBySimulation(folder, argumentsFor(bug.caughtBy)))
  } finally {
    remove()
  }
}
