/** Measure an operation: rounds of load on the server, each beside a round of pgbench that runs the same statements. */
import { execFileSync } from 'node:child_process'
import type { Figures } from '../../tools/measurement/figures.ts'
import { median } from '../../tools/measurement/percentile.ts'
import { readable } from '../limits/limits.ts'
import { calmRate } from '../limits/rounds.ts'
import { FIRST_NUMBERED } from '../../proof/filled-database/copy-checkout.ts'
import { CLIENTS, type BenchServer, type LoadFigures } from './bench-server.ts'
import { pgbenchScript, type PgbenchScript } from './pgbench-script.ts'
import { countStatements, countTransactions } from './recording-database.ts'
import type { Operation } from './requests.ts'

export const ROUNDS = 5
/** A round of pgbench is shorter: it does so much more in a second. */
const COMPARED_PART = 0.5
const MEBIBYTE = 2 ** 20

/** What an operation sends to its database. */
export interface RecordedOperation {
  readonly statements: number
  readonly transactions: number
  readonly script: PgbenchScript
}

/** A checkout that is read may be any of the prepared ones; one that is paid is paid once, so clients count through theirs. */
const checkoutLine = (operation: Operation, numbered: number): string[] =>
  operation === 'payment'
    ? ['\\set place :place + 1', '\\set checkout :base + :client_id * :share + :place']
    : [`\\set checkout random(${FIRST_NUMBERED + 1n}, ${FIRST_NUMBERED + BigInt(numbered)})`]

export const recordOperation = async (
  server: BenchServer,
  operation: Operation,
  numbered: number,
): Promise<RecordedOperation> => {
  // What is sent once and then remembered is no part of an operation.
  await server.record(operation)
  const first = await server.record(operation)
  const second = await server.record(operation)
  const line = checkoutLine(operation, numbered)
  const prepared = operation === 'create' ? null : { id: first.checkoutId, line }
  return {
    statements: countStatements(first.events),
    transactions: countTransactions(first.events),
    script: pgbenchScript(first.events, second.events, prepared),
  }
}

export interface OperationFigures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of each round the 99th percentile by the median; of these the median. */
  readonly p99ToP50: number
  readonly cpuMs: number
  readonly heapMiB: number
  readonly residentMiB: number
  readonly statements: number
  readonly transactions: number
  /** Null where there is no pgbench: for the embedded database. */
  readonly pgbenchPerSecond: number | null
  readonly ratio: number | null
}

/** One round of pgbench: so many transactions of each client, and how often a second they ran. */
export type Compare = (script: PgbenchScript, transactions: number) => Promise<number>

/** How many fit into a round, by the rate of the round before. */
export const countFor = (perSecond: number, seconds: number, most: number): number =>
  Math.max(CLIENTS, Math.min(most, Math.round(perSecond * seconds)))

/** Runs this process on one core alone, where the system has a command for it; answers whether it has. */
export const pinToOneCore = (pid: number | undefined, cores: string): boolean => {
  try {
    execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const measureOperation = async (
  server: BenchServer,
  operation: Operation,
  { statements, transactions, script }: RecordedOperation,
  { seconds, most, compare }: { readonly seconds: number; readonly most: number; readonly compare: Compare | null },
): Promise<OperationFigures> => {
  const rounds: LoadFigures[] = []
  const compared: number[] = []
  // Compiled code and plans: the first round of each is thrown away.
  let { perSecond } = await server.run(operation, 25 * CLIENTS)
  perSecond = (await server.run(operation, countFor(perSecond, seconds, most))).perSecond
  let comparedPerSecond = compare === null ? 0 : await compare(script, 25)
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures = await server.run(operation, countFor(perSecond, seconds, most))
    perSecond = figures.perSecond
    rounds.push(figures)
    if (compare === null) continue
    const enough = countFor(comparedPerSecond, seconds * COMPARED_PART, most)
    comparedPerSecond = await compare(script, Math.round(enough / CLIENTS))
    compared.push(comparedPerSecond)
  }
  const { heapBytes, residentBytes } = await server.process.memory()
  const rate = calmRate(rounds.map((each) => each.perSecond))
  const pgbenchPerSecond = compare === null ? null : calmRate(compared)
  return {
    perSecond: rate,
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    p99ToP50: median(rounds.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)),
    cpuMs: median(rounds.map(({ cpuMsEach }) => cpuMsEach)),
    heapMiB: heapBytes / MEBIBYTE,
    residentMiB: residentBytes / MEBIBYTE,
    statements,
    transactions,
    pgbenchPerSecond,
    ratio: pgbenchPerSecond === null ? null : rate / pgbenchPerSecond,
  }
}

export const figuresNamed = (prefix: string, figures: object): Figures =>
  Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]) =>
      typeof value === 'number' ? [[`${prefix}: ${name}`, readable(value)]] : [],
    ),
  )
