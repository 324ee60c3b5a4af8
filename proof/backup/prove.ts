/** Backup proof: a backup under load on both databases, restored elsewhere and recovered through each acquirer: nothing acknowledged is lost, nothing is charged twice. */
import { runBackupRound, type BackupReport } from '../crashes/backup-round.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress } from '../../tools/progress.mjs'
import { startPostgres } from '../../tools/test/postgres.ts'
import { DOUBLES } from './acquirer-double.ts'
import { runAcquirerRound, type AcquirerReport } from './acquirer-round.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'

const DEFAULT_ROUNDS = '3'
const ROUNDS_RANGE = { from: 1, to: 1000 }
const PAYMENTS = { paymentsBefore: 40, paymentsAfter: 40 }
/** Of a round with a double of a real acquirer. */
const PAYMENTS_AT_DOUBLE = { paymentsBefore: 30, paymentsAfter: 30 }

type Engine = 'SQLite' | 'PostgreSQL'

interface Reports {
  readonly backups: readonly BackupReport[]
  readonly acquirers: readonly AcquirerReport[]
}

const sumOf = <Report>(reports: readonly Report[], count: (report: Report) => number): number =>
  reports.reduce((sum, report) => sum + count(report), 0)

/** Rounds in which the backup missed nothing at the acquirer show nothing. */
export const figuresOf = (seed: number, reports: Readonly<Record<Engine, Reports>>): Figures => {
  for (const [engine, { backups }] of Object.entries(reports))
    if (sumOf(backups, ({ chargesAfter }) => chargesAfter) === 0)
      throw new CommandError(`${engine}: no charge was made after a backup, which shows nothing: run more rounds`)
  const all = [...reports.SQLite.backups, ...reports.PostgreSQL.backups]
  const acquirers = [...reports.SQLite.acquirers, ...reports.PostgreSQL.acquirers]
  const sum = (count: (report: BackupReport) => number): number => sumOf(all, count)
  return {
    seed,
    backupsOfSqlite: reports.SQLite.backups.length,
    backupsOfPostgres: reports.PostgreSQL.backups.length,
    payCallsDuringBackups: sum(({ payCallsDuringBackup }) => payCallsDuringBackup),
    acknowledgedBeforeTheBackup: sum(({ acknowledgedBefore }) => acknowledgedBefore),
    lost: sum(({ lost }) => lost.length),
    chargesAfterTheBackup: sum(({ chargesAfter }) => chargesAfter),
    refundsAfterTheBackup: sum(({ refundsAfter }) => refundsAfter),
    leftForAPerson: sum(({ left }) => left),
    paidAfterTheRestore: sum(({ paidOnceMore }) => paidOnceMore),
    doubleCharges: sum(({ doubleCharges }) => doubleCharges),
    slowestBackupMs: Math.max(...all.map(({ backupMs }) => backupMs)),
    recoveredThroughDoubles: acquirers.length,
    chargesRecoveredThroughDoubles: sumOf(acquirers, ({ chargesAfter }) => chargesAfter),
    closedToPaymentMeanwhile: sumOf(acquirers, ({ held }) => held),
    ordersNeverAnsweredAbout: acquirers.length,
    lostThroughDoubles: sumOf(acquirers, ({ lost }) => lost.length),
    doubleChargesThroughDoubles: sumOf(acquirers, ({ doubleCharges }) => doubleCharges),
  }
}

const runRounds = async (engine: Engine, rounds: number, seed: number): Promise<Reports> => {
  const backups: BackupReport[] = []
  for (let round = 0; round < rounds; round += 1) {
    const report = await runBackupRound({ engine, seed: seed + round, ...PAYMENTS })
    printProgress(`${engine}, round ${round + 1}: ${JSON.stringify(report)}`)
    if (report.lost.length + report.doubleCharges + report.faults.length > 0)
      throw new CommandError(`${engine}, seed ${seed + round}: a promise was broken, see above`)
    backups.push(report)
  }
  const acquirers: AcquirerReport[] = []
  for (const name of DOUBLES) {
    const report = await runAcquirerRound(name, { engine, seed, ...PAYMENTS_AT_DOUBLE })
    printProgress(`${engine}, ${name}: ${JSON.stringify(report)}`)
    if (report.lost.length + report.doubleCharges + report.faults.length > 0)
      throw new CommandError(`${engine}, ${name}, seed ${seed}: a promise was broken, see above`)
    acquirers.push(report)
  }
  return { backups, acquirers }
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
