/** Fleet proof: three servers, two workers and all stores behind them are killed, frozen, replaced and released anew under load. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../server/dependencies.ts'
import { openPostgres } from '../../server/store/engine/postgres.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { STOP_SIGNALS } from '../../tools/exit-with-parent.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { SEED_RANGE, wholeNumber } from '../../tools/measurement/whole-number.ts'
import { printProgress } from '../../tools/progress.mjs'
import { unprivilegedAccount } from '../../tools/test/postgres.ts'
import { countPendingChargesAndRefunds, createAuditReport, type AuditReport } from '../crashes/audit-report.ts'
import { MERCHANT_KEY } from '../crashes/server-settings.ts'
import { startShoppers } from '../crashes/shoppers.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { startSandbox, type SandboxProcess } from '../harness/sandbox-process.ts'
import { NAMED_FAULTS, randomFaults, type Fault } from './faults.ts'
import { findFleetPrograms } from './fleet-programs.ts'
import { prepareFleet, type Fleet } from './fleet.ts'
import { createNextRelease, type NextRelease } from './next-release.ts'
import {
  outagesOf,
  recordedClient,
  unexpectedAnswers,
  type Outage,
  type RecordedCall,
  type Window,
} from './recorded-calls.ts'

const SHOPPERS = 10
const CREATIONS_PER_SECOND = 4
/** Paid, declined, and paid without an answer. Silence by more cards would open the circuit breaker, which is not proven here. */
const CARDS = [
  '4242424242424242',
  '4242424242424242',
  '4111111111111111',
  '4111111111111111',
  '5555555555554444',
  '5555555555554444',
  '5105105105105100',
  '5105105105105100',
  '4100000000750001',
  '4100000000754003',
] as const
/** Load without any fault, before and after each. */
const CALM_MS = 4000
const SETTLE_TIMEOUT_MS = 90_000
const POLL_MS = 250

export interface FleetReport extends AuditReport {
  readonly outages: readonly Outage[]
  readonly calls: number
  readonly paidInReplacements: number
  readonly unexpected: readonly RecordedCall[]
  /** Processes of Kaikei that ended without being told to. */
  readonly unasked: readonly string[]
}

/** Replaces each server and worker, one after another, with the release in `root`, or with the same one. */
const replaceOneByOne = async (fleet: Fleet, root?: string): Promise<void> => {
  for (const each of [...fleet.servers, ...fleet.workers]) {
    await each.stop()
    await each.start(root)
    await fleet.whole()
  }
}

const waitUntilSettled = async (databaseUrl: string): Promise<void> => {
  const sql = await openPostgres(databaseUrl)
  const deadline = systemClock.now() + SETTLE_TIMEOUT_MS
  while ((await countPendingChargesAndRefunds(sql)) > 0 && systemClock.now() < deadline)
    await systemClock.sleep(POLL_MS)
  await sql.close()
}

const run = async (fleet: Fleet, sandbox: SandboxProcess, next: NextRelease, seed: number): Promise<FleetReport> => {
  const random = seededRandom(seed)
  const client = recordedClient(fleet.ports.http, MERCHANT_KEY, CREATIONS_PER_SECOND)
  const windows: Window[] = []
  let deadline = Number.POSITIVE_INFINITY
  const isTimeUp = (): boolean => systemClock.now() > deadline
  const strike = async ({ name, strike: begin }: Fault): Promise<void> => {
    printProgress(`${name}…`)
    windows.push({ fault: name, from: systemClock.now() })
    await begin(fleet)
    await fleet.whole()
    await systemClock.sleep(CALM_MS)
    printProgress(JSON.stringify(outagesOf(client.calls, windows).at(-1)))
  }
  try {
    await fleet.start()
    const shoppers = startShoppers({ size: SHOPPERS, api: client, random: random.split(), isTimeUp, cards: CARDS })
    const paid = (): number =>
      new Set(shoppers.acknowledgements.flatMap((each) => (each.event === 'paid' ? [each.checkoutId] : []))).size
    await systemClock.sleep(CALM_MS)
    const paidBefore = paid()
    await replaceOneByOne(fleet)
    printProgress(`every server and worker replaced under load; ${paid() - paidBefore} payments meanwhile`)
    await fleet.migrate(next.folder)
    await replaceOneByOne(fleet, next.folder)
    const paidInReplacements = paid() - paidBefore
    printProgress(`release ${next.version} with its migration is everywhere; ${paidInReplacements} payments meanwhile`)
    await systemClock.sleep(CALM_MS)
    for (const [name, begin] of Object.entries(NAMED_FAULTS)) await strike({ name, strike: begin })
    for (const fault of randomFaults(random)) await strike(fault)
    deadline = systemClock.now() + SETTLE_TIMEOUT_MS
    await shoppers.stop()
    await waitUntilSettled(fleet.databaseUrl)
    const store = await openPostgres(fleet.databaseUrl)
    const report = await createAuditReport(store, sandbox, shoppers.acknowledgements)
    await store.close()
    const errors = shoppers.shopperErrors.map((description) => ({ kind: 'untrue', description }) as const)
    return {
      ...report,
      findings: [...report.findings, ...errors],
      outages: outagesOf(client.calls, windows),
      calls: client.calls.length,
      paidInReplacements,
      unexpected: unexpectedAnswers(client.calls, windows),
      unasked: [...fleet.servers, ...fleet.workers].flatMap(({ unasked }) => unasked),
    }
  } finally {
    deadline = 0
  }
}

export const figuresOf = (seed: number, report: FleetReport): Figures => {
  const { findings, unexpected, unasked, outages, paidInReplacements } = report
  if (findings.length > 0) throw new CommandError(`${findings.length} promises were broken, see above`)
  if (unexpected.length > 0) throw new CommandError(`${unexpected.length} calls failed outside the faults, see above`)
  if (unasked.length > 0) throw new CommandError(`${unasked.length} processes of Kaikei ended by themselves, see above`)
  if (paidInReplacements === 0) throw new CommandError('nothing was paid while servers were replaced: it shows nothing')
  const named = outages.flatMap(({ fault, seconds, answers503 }) =>
    fault in NAMED_FAULTS ? [[`${fault}: seconds`, seconds] as const, [`${fault}: 503`, answers503] as const] : [],
  )
  const sum = (figure: (outage: Outage) => number): number => outages.reduce((total, each) => total + figure(each), 0)
  return {
    seed,
    faults: outages.length,
    calls: report.calls,
    acknowledgedWrites: report.acknowledged,
    acknowledgedPayments: report.acknowledgedPayments,
    paidWhileReplaced: paidInReplacements,
    chargesAtTheAcquirer: report.charges,
    refundsAtTheAcquirer: report.refunds,
    doubtsSeen: report.doubts,
    ...Object.fromEntries(named),
    longestOutageSeconds: Math.max(...outages.map(({ seconds }) => seconds)),
    answers503InWindows: sum(({ answers503 }) => answers503),
    otherFailuresInWindows: sum(({ otherFailures }) => otherFailures),
    cardsNotHeldInWindows: sum(({ cardsNotHeld }) => cardsNotHeld),
    answers500: 0,
    failuresOutsideWindows: 0,
    lost: 0,
    doubleCharges: 0,
    unsettled: 0,
  }
}

export const parameters = '[seed]'

export const measure = async ([givenSeed = '1']: readonly string[]): Promise<Figures> => {
  const seed = wholeNumber('the seed', givenSeed, SEED_RANGE)
  const path = process.env['PATH'] ?? ''
  const programs = findFleetPrograms(path)
  await ensureBuilt()
  const account = unprivilegedAccount()
  // As root the folder must be where another user can reach it; TMPDIR may not be.
  const folder = mkdtempSync(join(account === undefined ? tmpdir() : '/tmp', 'kaikei-fleet-'))
  chmodSync(folder, 0o755)
  const sandbox = await startSandbox()
  const fleet = await prepareFleet({ programs, folder, account, path }, sandbox)
  const next = createNextRelease()
  const endAll = async (): Promise<void> => {
    await fleet.end()
    await sandbox.stop()
    next.remove()
  }
  const onSignal = (): void => void endAll().finally(() => process.exit(1))
  for (const signal of STOP_SIGNALS) process.once(signal, onSignal)
  printProgress(`logs and data of this run, kept where it fails: ${folder}`)
  let isProven = false
  try {
    const report = await run(fleet, sandbox, next, seed)
    for (const found of [...report.findings, ...report.unexpected, ...report.unasked])
      printProgress(JSON.stringify(found))
    const figures = figuresOf(seed, report)
    isProven = true
    return figures
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal)
    await endAll()
    if (isProven) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
