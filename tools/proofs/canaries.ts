import { everyFlow } from '../../server/canaries/plan.ts'
import { runCanaries, type Outcome } from '../../server/canaries/run.ts'
import { startAcquirer } from '../../server/testing/acquirer-process.ts'
import { createDatabase } from '../../server/testing/both-databases.ts'
import { runKept } from '../leashed.mjs'
import { ensureBuilt } from '../page-build.ts'
import { startPostgres } from '../postgres.ts'
import type { Figures } from '../prove.ts'
import { Refusal, say } from '../say.mjs'
import { root } from '../setup.mjs'

/** The scanner's own test says how many leaks it planted; every one of them was found, or it fails. */
const plantLeaks = async (env: NodeJS.ProcessEnv): Promise<number> => {
  const args = ['--test', '--test-reporter=tap', 'server/canaries/scanner.test.ts']
  const { code, output } = await runKept(process.execPath, args, { cwd: root, env })
  const planted = /# (\d+) planted leaks, all found/.exec(output)?.[1]
  if (code !== 0 || planted === undefined) throw new Refusal(`a planted leak was not found: ${output.slice(-2000)}`)
  return Number(planted)
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

/** Sends 200 cards through the real server, kills it in the middle, and looks for them in all that it wrote and said. */
export const prove = async (): Promise<Figures> => {
  await ensureBuilt()
  const server = await startPostgres(process.env)
  try {
    process.env['TEST_DATABASE_URL'] = server.url
    const plantedLeaks = await plantLeaks(process.env)
    const outcomes = await runAll()
    const wrong = outcomes.flatMap(({ hits, astray }) => [...hits, ...astray])
    for (const line of wrong) say(line)
    if (wrong.length > 0) throw new Refusal(`${wrong.length} leaks, or flows that went astray`)
    const sum = (figure: (outcome: Outcome) => number): number => outcomes.reduce((all, each) => all + figure(each), 0)
    return {
      flows: sum(({ flows }) => flows),
      flowsOnPostgres: outcomes.at(-1)?.flows ?? 0,
      crashes: sum(({ crashes }) => crashes),
      bytesScanned: sum(({ bytes }) => bytes),
      places: sum(({ places }) => places.length),
      postgresFiles: outcomes.at(-1)?.filesUnreadable ?? 'read',
      hits: 0,
      plantedLeaks,
      plantedLeaksFound: plantedLeaks,
    }
  } finally {
    await server.stop()
  }
}
