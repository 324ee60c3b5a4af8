/** Planted bug: a fault that is patched into a copy of the code, never a switch in the code itself. */
import type { WorkloadName } from '../simulation/workloads.ts'
import type { Schedule } from '../simulation/simulate.ts'

/** Patch of one file. The text must stand there exactly once, or the patch does not apply. */
export interface Edit {
  readonly file: string
  readonly find: string
  readonly replace: string
}

export interface PlantedBug extends Edit {
  readonly name: string
  /** What else must change for the bug to show. */
  readonly also?: readonly Edit[]
  /** What must catch it: a schedule of the simulation that breaks a promise with it, or a test file that must fail. */
  readonly caughtBy: Schedule | `${string}.test.ts`
  /** Caught by `npm test` too; all the others only by `npm run prove -- planted-bugs`. */
  readonly isInEveryRun?: true
}

export const editsOf = (bug: PlantedBug): readonly Edit[] => [bug, ...(bug.also ?? [])]

export const schedule = (workload: WorkloadName, seed: number, crashAt: number | null = null): Schedule => ({
  workload,
  seed,
  checkouts: crashAt === null ? 5 : 1,
  crashAt,
})
