/** Proof by planted bugs: each must be caught by its schedule or its test. If one is not caught, the proof fails. */
import { availableParallelism } from 'node:os'
import { findCatcher } from './catch-planted-bug.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'

export const parameters = ''

export const measure = async (
  _: readonly string[] = [],
  bugs: typeof PLANTED_BUGS = PLANTED_BUGS,
  catcherOf: typeof findCatcher = findCatcher,
): Promise<Figures> => {
  const waiting = [...bugs]
  const missed: string[] = []
  const catchAll = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const catcher = await catcherOf(bug)
      printProgress(`${bug.name}: ${catcher === undefined ? 'NOT CAUGHT' : `caught by ${catcher}`}`)
      if (catcher === undefined) missed.push(bug.name)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, catchAll))
  if (missed.length > 0)
    throw new CommandError(`${missed.length} of ${bugs.length} planted bugs were not caught, see above`)
  return { bugs: bugs.length, caught: bugs.length }
}
