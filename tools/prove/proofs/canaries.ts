import { everyFlow } from '../../../proof/canaries/plan.ts'
import { runCanaries, type Outcome } from '../../../proof/canaries/run.ts'
import { startAcquirer } from '../../../proof/harness/acquirer-process.ts'
import { createDatabase } from '../../../proof/harness/databases.ts'
import { runKept } from '../../exit-with-parent/spawn.mjs'
import { ensureBuilt } from '../../build/page-build.ts'
import { startPostgres } from '../../test/postgres.ts'
import type { Figures } from './figures.ts'
import { CommandError } from '../../command-error.mjs'
import { printProgress } from '../../progress.mjs'
import { root } from '../../setup/setup.mjs'

/** How many of the leaks that the scanner's own test plants were found. It fails when it misses one. */
const findPlantedLeaks = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const args = ['--test', '--test-reporter=tap', 'proof/canaries/scanner.test.ts']
  const { code, output } = await runKept(process.execPath, args, { cwd: root, env })
  const found = /# (\d+) planted leaks, all found/.exec(output)?.[1]
  if (code !== 0 || found === undefined) throw new CommandError(`a planted leak was not found: ${output.slice(-2000)}`)
  return Number(found)
}

const runAll = async (): Promise<Outcome[]> => {
  const acquirer = await startAcquirer()
  const place = await createDatabase()
  try {
    const { embedded, postgres } = everyFlow()
    const first = await runCanaries({ acquirer, databaseUrl: null, ...embedded })
    return [first, await runCanaries({ acquirer, databaseUrl: place.url, ...postgres })]
  } finally {
    await place.drop()
    await acquirer.stop()
  }
}

/** `plantedLeaksFound`: a scanner that finds nothing at all would look like a server that leaks nothing. */
export const figuresOf = (outcomes: readonly Outcome[], plantedLeaksFound: number): Figures => {
  const sum = (figure: (outcome: Outcome) => number): number => outcomes.reduce((all, each) => all + figure(each), 0)
  const [hits, astray] = [sum((outcome) => outcome.hits.length), sum((outcome) => outcome.astray.length)]
  if (hits + astray > 0) throw new CommandError(`${hits} leaks, and ${astray} flows that went astray, see above`)
  return {
    flows: sum(({ flows }) => flows),
    flowsOnPostgres: outcomes.at(-1)?.flows ?? 0,
    crashes: sum(({ crashes }) => crashes),
    bytesScanned: sum(({ bytes }) => bytes),
    places: sum(({ places }) => places.length),
    postgresFiles: outcomes.at(-1)?.filesUnreadable ?? 'read',
    hits,
    plantedLeaksFound,
  }
}

/** Sends 200 cards through the real server, kills it in the middle, and looks for them in all that it wrote and said. */
export const prove = async (): Promise<Figures> => {
  await ensureBuilt()
  const server = await startPostgres(process.env)
  try {
    process.env['TEST_DATABASE_URL'] = server.url
    const plantedLeaksFound = await findPlantedLeaks(process.env)
    const outcomes = await runAll()
    for (const line of outcomes.flatMap(({ hits, astray }) => [...hits, ...astray])) printProgress(line)
    return figuresOf(outcomes, plantedLeaksFound)
  } finally {
    await server.stop()
  }
}
