import { fileURLToPath } from 'node:url'
import { runAndCapture } from '../../tools/exit-with-parent/spawn.mjs'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { startPostgres } from '../../tools/test/postgres.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/setup/setup.mjs'
import { lastReport, numberIn } from '../journeys/last-report.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const DEFAULT_KILLS = '200'
const KILLS_RANGE = { from: 1, to: 10_000 }

type Engine = 'SQLite' | 'PostgreSQL'

type CrashReport = Readonly<Record<string, unknown>>

/** Crash proof on one database: kills real processes. A broken promise fails it and names the command to repeat. */
const runCrashes = async (
  engine: Engine,
  kills: number,
  seed: number,
  env: NodeJS.ProcessEnv,
): Promise<CrashReport> => {
  const args = ['--engine', engine, '--kills', String(kills), '--seed', String(seed)]
  const { code, output } = await runAndCapture(process.execPath, [MAIN, ...args], { cwd: ROOT, env })
  printProgress(output.trim())
  if (code !== 0) {
    const again = `node proof/crashes/main.ts ${args.join(' ')}`
    throw new CommandError(
      `${engine}: a promise was broken, see above; no two runs are quite the same, but try: ${again}`,
    )
  }
  return lastReport('proof/crashes/main.ts', output)
}

export const figuresOf = (seed: number, reports: Readonly<Record<Engine, CrashReport>>): Figures => {
  for (const [engine, report] of Object.entries(reports)) {
    if (numberIn(report['cutOff'], 'pay') === 0)
      throw new CommandError(`${engine}: no kill cut off a payment, which shows nothing: kill more often`)
  }
  const { SQLite: sqlite, PostgreSQL: postgres } = reports
  const sum = (name: string): number => numberIn(sqlite, name) + numberIn(postgres, name)
  const cutOff = (name: string): number => numberIn(sqlite['cutOff'], name) + numberIn(postgres['cutOff'], name)
  const killsOf = (target: string): number => numberIn(postgres['kills'], target)
  return {
    seed,
    killsOnSqlite: numberIn(sqlite['kills'], 'server'),
    killsOnPostgres: killsOf('server') + killsOf('worker') + killsOf('both'),
    ofThemServerAlone: killsOf('server'),
    ofThemWorkerAlone: killsOf('worker'),
    ofThemBoth: killsOf('both'),
    paymentsCutOff: cutOff('pay'),
    refundsCutOff: cutOff('refund'),
    checkouts: sum('checkouts'),
    acknowledgedWrites: sum('acknowledged'),
    acknowledgedPayments: sum('acknowledgedPayments'),
    chargesAtTheAcquirer: sum('charges'),
    refundsAtTheAcquirer: sum('refunds'),
    doubtsSeen: sum('doubts'),
    mailsArrived: sum('mails'),
    ofThemMoreThanOnce: sum('mailCopies'),
    lost: sum('lost'),
    doubleCharges: sum('doubleCharges'),
    unsettled: sum('unsettled'),
  }
}

export const parameters = '[kills on each database] [seed]'

/** Crash proof: kills the server, and on PostgreSQL the worker too, during payments, then audits all that was acknowledged. */
export const measure = async ([givenKills = DEFAULT_KILLS, givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const kills = wholeNumber('the number of kills on each database', givenKills, KILLS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  await ensureBuilt()
  const SQLite = await runCrashes('SQLite', kills, seed, process.env)
  const postgres = await startPostgres(process.env)
  try {
    const PostgreSQL = await runCrashes('PostgreSQL', kills, seed, { ...process.env, TEST_DATABASE_URL: postgres.url })
    return figuresOf(seed, { SQLite, PostgreSQL })
  } finally {
    await postgres.stop()
  }
}
