import { allFlows } from './flow-selection.ts'
import { runCanaries, type CanaryResult } from './run-canaries.ts'
import { startSandbox } from '../harness/sandbox-process.ts'
import { createPostgresDatabase } from '../harness/databases.ts'
import { runAndCapture } from '../../tools/exit-with-parent/spawn.mjs'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { startPostgres } from '../../tools/test/postgres.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/setup/setup.mjs'

/** Runs the scanner's own test, which fails when it misses a planted leak. Returns how many it found. */
const findPlantedLeaks = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const args = ['--test', '--test-reporter=tap', 'proof/canaries/scanner.test.ts']
  const { code, output } = await runAndCapture(process.execPath, args, { cwd: ROOT, env })
  const found = /# (\d+) planted leaks, all found/.exec(output)?.[1]
  if (code !== 0 || found === undefined) throw new CommandError(`a planted leak was not found: ${output.slice(-2000)}`)
  return Number(found)
}

const runOnBothDatabases = async (): Promise<CanaryResult[]> => {
  const acquirer = await startSandbox()
  const database = await createPostgresDatabase()
  try {
    const { embedded, postgres } = allFlows()
    const first = await runCanaries({ acquirer, databaseUrl: null, ...embedded })
    return [first, await runCanaries({ acquirer, databaseUrl: database.url, ...postgres })]
  } finally {
    await database.drop()
    await acquirer.stop()
  }
}

/** `plantedLeaksFound`: a scanner that finds nothing at all would look like a server that leaks nothing. */
export const figuresOf = (results: readonly CanaryResult[], plantedLeaksFound: number): Figures => {
  const sum = (figure: (result: CanaryResult) => number): number => results.reduce((all, each) => all + figure(each), 0)
  const hits = sum((result) => result.hits.length)
  const unexpected = sum((result) => result.unexpectedEndings.length)
  if (hits + unexpected > 0)
    throw new CommandError(`${hits} leaks, and ${unexpected} flows that went astray, see above`)
  return {
    flows: sum(({ flows }) => flows),
    flowsOnPostgres: results.at(-1)?.flows ?? 0,
    crashes: sum(({ crashes }) => crashes),
    bytesScanned: sum(({ bytes }) => bytes),
    places: sum(({ places }) => places.length),
    postgresFiles: results.at(-1)?.filesUnreadable ?? 'read',
    hits,
    plantedLeaksFound,
  }
}

export const parameters = ''

/** Proof by canaries: sends 200 cards through the real server, kills it during payments, and scans all that it wrote and sent. */
export const measure = async (): Promise<Figures> => {
  await ensureBuilt()
  const server = await startPostgres(process.env)
  try {
    process.env['TEST_DATABASE_URL'] = server.url
    const plantedLeaksFound = await findPlantedLeaks(process.env)
    const results = await runOnBothDatabases()
    for (const line of results.flatMap(({ hits, unexpectedEndings }) => [...hits, ...unexpectedEndings]))
      printProgress(line)
    return figuresOf(results, plantedLeaksFound)
  } finally {
    await server.stop()
  }
}
