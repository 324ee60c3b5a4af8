/** Catches planted bugs, as many at a time as there are cores, with a PostgreSQL server for the tests that need one. */
import { availableParallelism } from 'node:os'
import { assertPassWithoutBug, catchersAmong, findCatcher } from './catch-planted-bug.ts'
import type { PlantedBug } from './planted-bug.ts'
import { printProgress } from '../../tools/progress.mjs'
import { startPostgres } from '../../tools/test/postgres.ts'

/** The names of those that nothing caught. */
export type FindMissedBugs = (bugs: readonly PlantedBug[]) => Promise<readonly string[]>

export const findMissedBugs: FindMissedBugs = async (bugs) => {
  const postgres = await startPostgres(process.env)
  const waiting = [...bugs]
  const missed: string[] = []
  const catchAll = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const catcher = await findCatcher(bug, postgres.url)
      printProgress(`${bug.name}: ${catcher === undefined ? 'NOT CAUGHT' : `caught by ${catcher}`}`)
      if (catcher === undefined) missed.push(bug.name)
    }
  }
  try {
    await assertPassWithoutBug(catchersAmong(bugs), postgres.url)
    await Promise.all(Array.from({ length: availableParallelism() }, catchAll))
  } finally {
    await postgres.stop()
  }
  return missed
}
