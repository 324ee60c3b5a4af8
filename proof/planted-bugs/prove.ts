/** Proof by planted bugs: each must be caught by its schedule or its test. If one is not caught, the proof fails. */
import { findMissedBugs, type FindMissedBugs } from './catch-planted-bugs.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'

export const parameters = ''

export const measure = async (
  _: readonly string[] = [],
  bugs: typeof PLANTED_BUGS = PLANTED_BUGS,
  findMissed: FindMissedBugs = findMissedBugs,
): Promise<Figures> => {
  const missed = await findMissed(bugs)
  if (missed.length > 0)
    throw new CommandError(`${missed.length} of ${bugs.length} planted bugs were not caught, see above`)
  const byTests = bugs.filter(({ caughtBy }) => typeof caughtBy === 'string').length
  return { bugs: bugs.length, foundBySimulation: bugs.length - byTests, foundByTests: byTests }
}
