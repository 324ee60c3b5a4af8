import { fileURLToPath } from 'node:url'
import { runKept } from '../../exit-with-parent/spawn.mjs'
import { ensureBuilt } from '../../build/page-build.ts'
import { startPostgres } from '../../test/postgres.ts'
import type { Figures } from './figures.ts'
import { CommandError } from '../../command-error.mjs'
import { printProgress } from '../../progress.mjs'
import { root } from '../../setup/setup.mjs'
import { lastReport, numberIn } from './last-report.ts'
import { SEEDS, wholeNumber } from './whole-number.ts'

const MAIN = fileURLToPath(new URL('../../../proof/crashes/main.ts', import.meta.url))
const USUAL_KILLS = '200'
const KILLS = { from: 1, to: 10_000 }

type Engine = 'SQLite' | 'PostgreSQL'

type Report = Readonly<Record<string, unknown>>

/** Kills real processes on one engine and answers their report; a broken promise fails it and names how to run it again. */
const killOn = async (engine: Engine, kills: number, seed: number, env: NodeJS.ProcessEnv): Promise<Report> => {
  const args = ['--engine', engine, '--kills', String(kills), '--seed', String(seed)]
  const { code, output } = await runKept(process.execPath, [MAIN, ...args], { cwd: root, env })
  printProgress(output.trim())
  if (code !== 0) {
    const again = `node proof/crashes/main.ts ${args.join(' ')}`
    throw new CommandError(
      `${engine}: a promise was broken, see above; no two runs are quite the same, but try: ${again}`,
    )
  }
  return lastReport('proof/crashes/main.ts', output)
}

export const figuresOf = (seed: number, reports: Readonly<Record<Engine, Report>>): Figures => {
  for (const [engine, report] of Object.entries(reports)) {
    if (numberIn(report['cutOff'], 'pay') === 0)
      throw new CommandError(`${engine}: no kill cut off a payment, which shows nothing: kill more often`)
  }
  const { SQLite: embedded, PostgreSQL: shared } = reports
  const both = (name: string): number => numberIn(embedded, name) + numberIn(shared, name)
  const cutOff = (name: string): number => numberIn(embedded['cutOff'], name) + numberIn(shared['cutOff'], name)
  const killsOf = (victim: string): number => numberIn(shared['kills'], victim)
  return {
    seed,
    killsOnSqlite: numberIn(embedded['kills'], 'server'),
    killsOnPostgres: killsOf('server') + killsOf('worker') + killsOf('both'),
    ofThemServerAlone: killsOf('server'),
    ofThemWorkerAlone: killsOf('worker'),
    ofThemBoth: killsOf('both'),
    paymentsCutOff: cutOff('pay'),
    refundsCutOff: cutOff('refund'),
    checkouts: both('checkouts'),
    acknowledgedWrites: both('acknowledged'),
    acknowledgedPayments: both('acknowledgedPayments'),
    chargesAtTheAcquirer: both('charges'),
    refundsAtTheAcquirer: both('refunds'),
    doubtsSeen: both('doubts'),
    lost: both('lost'),
    doubleCharges: both('doubleCharges'),
    unsettled: both('unsettled'),
  }
}

/** Kills the server, and on PostgreSQL the worker too, in the middle of payments; what was said is held against the books. */
export const prove = async ([givenKills = USUAL_KILLS, givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const kills = wholeNumber('the number of kills on each database', givenKills, KILLS)
  const seed = wholeNumber('the seed', givenSeed, SEEDS)
  await ensureBuilt()
  const SQLite = await killOn('SQLite', kills, seed, process.env)
  const postgres = await startPostgres(process.env)
  try {
    const PostgreSQL = await killOn('PostgreSQL', kills, seed, { ...process.env, TEST_DATABASE_URL: postgres.url })
    return figuresOf(seed, { SQLite, PostgreSQL })
  } finally {
    await postgres.stop()
  }
}
