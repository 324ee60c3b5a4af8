/** Backup proof: a backup under load on both databases, restored elsewhere: nothing acknowledged is lost, nothing is charged twice. */
import { runBackupRound, type BackupReport } from '../crashes/backup-round.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { startPostgres } from '../../tools/test/postgres.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_ROUNDS = '5'
const ROUNDS_RANGE = { from: 1, to: 1000 }
const PAYMENTS = { paymentsBefore: 40, paymentsAfter: 40 }

type Engine = 'SQLite' | 'PostgreSQL'

const sumOf = (reports: readonly BackupReport[], count: (report: BackupReport) => number): number =>
  reports.reduce((sum, report) => sum + count(report), 0)

/** Rounds in which the backup missed nothing at the acquirer show nothing. */
export const figuresOf = (seed: number, reports: Readonly<Record<Engine, readonly BackupReport[]>>): Figures => {
  for (const [engine, rounds] of Object.entries(reports))
    if (sumOf(rounds, ({ chargesAfter }) => chargesAfter) === 0)
      throw new CommandError(`${engine}: no charge was made after a backup, which shows nothing: run more rounds`)
  const all = [...reports.SQLite, ...reports.PostgreSQL]
  const sum = (count: (report: BackupReport) => number): number => sumOf(all, count)
  return {
    seed,
    backupsOfSqlite: reports.SQLite.length,
    backupsOfPostgres: reports.PostgreSQL.length,
    payCallsDuringBackups: sum(({ payCallsDuringBackup }) => payCallsDuringBackup),
    acknowledgedBeforeTheBackup: sum(({ acknowledgedBefore }) => acknowledgedBefore),
    lost: sum(({ lost }) => lost.length),
    chargesAfterTheBackup: sum(({ chargesAfter }) => chargesAfter),
    refundsAfterTheBackup: sum(({ refundsAfter }) => refundsAfter),
    leftForAPerson: sum(({ left }) => left),
    paidAfterTheRestore: sum(({ paidOnceMore }) => paidOnceMore),
    doubleCharges: sum(({ doubleCharges }) => doubleCharges),
    slowestBackupMs: Math.max(...all.map(({ backupMs }) => backupMs)),
  }
}

const runRounds = async (engine: Engine, rounds: number, seed: number): Promise<BackupReport[]> => {
  const reports: BackupReport[] = []
  for (let round = 0; round < rounds; round += 1) {
    const report = await runBackupRound({ engine, seed: seed + round, ...PAYMENTS })
    printProgress(`${engine}, round ${round + 1}: ${JSON.stringify(report)}`)
    if (report.lost.length + report.doubleCharges + report.faults.length > 0)
      throw new CommandError(`${engine}, seed ${seed + round}: a promise was broken, see above`)
    reports.push(report)
  }
  return reports
}

export const parameters = '[backups of each database] [seed]'

export const measure = async ([givenRounds = DEFAULT_ROUNDS, givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const rounds = wholeNumber('the number of backups of each database', givenRounds, ROUNDS_RANGE)
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  await ensureBuilt()
  const SQLite = await runRounds('SQLite', rounds, seed)
  const postgres = await startPostgres(process.env)
  const before = process.env['TEST_DATABASE_URL']
  process.env['TEST_DATABASE_URL'] = postgres.url
  try {
    return figuresOf(seed, { SQLite, PostgreSQL: await runRounds('PostgreSQL', rounds, seed) })
  } finally {
    if (before === undefined) delete process.env['TEST_DATABASE_URL']
    else process.env['TEST_DATABASE_URL'] = before
    await postgres.stop()
  }
}
