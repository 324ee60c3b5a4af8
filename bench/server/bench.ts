/**
 * Bench of the server: the card page, readings, new checkouts and whole payments on both databases, over loopback and from
 * another process; on PostgreSQL each beside pgbench, which runs the same statements in the same minute.
 */
import { availableParallelism } from 'node:os'
import { CommandError } from '../../tools/command-error.mjs'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import { limitFigures, limitTable, readable, table } from '../limits/limits.ts'
import { FIRST_NUMBERED, type Engine } from '../../proof/filled-database/copy-checkout.ts'
import {
  countNumberedPaid,
  DURABLE,
  openBenchDatabase,
  prepareCheckouts,
  type BenchDatabase,
} from '../../proof/filled-database/bench-database.ts'
import { CLIENTS, payPoolOf, startBenchServer, type BenchServer, type PayPool } from './bench-server.ts'
import {
  figuresNamed,
  measureOperation,
  pinToOneCore,
  recordOperation,
  ROUNDS,
  type Compare,
  type OperationFigures,
  type RecordedOperation,
} from './measure-operation.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { OPERATIONS, type Operation } from './requests.ts'
import { limitsOf, type DatabaseFigures, type HeapGrowth } from './server-limits.ts'

const DEFAULT_SECONDS = '2'
const DEFAULT_MEMORY_REQUESTS = '100000'
/** Of each kind of id. Half of ours are paid; pgbench pays all of its own. */
const CHECKOUTS = 40_000
/** Payments of a round: every checkout can be paid once. */
const PAYMENTS_MOST = 2500
const OTHERS_MOST = 100_000
/** Memory is read first after this part of the requests, when everything has been used once. */
const FIRST_PART = 0.2
const MEBIBYTE = 2 ** 20

interface Sizes {
  readonly seconds: number
  readonly memoryRequests: number
}

/** pgbench on this database, and how many payments it was told to make. */
interface Comparison {
  readonly compare: Compare
  paymentsTold(): number
}

const comparisonOn = ({ url, dataDir }: BenchDatabase): Comparison | null => {
  if (url === null) return null
  const program = findPgbench()
  let told = 0
  return {
    paymentsTold: () => told,
    compare: async (script, transactions) => {
      const isPaying = script.text.includes(':place')
      const base = String(FIRST_NUMBERED + BigInt(told))
      if (isPaying) told += CLIENTS * transactions
      return runPgbench(program, dataDir, script, {
        url,
        clients: CLIENTS,
        transactions,
        variables: isPaying ? { place: '0', base, share: String(transactions) } : {},
      })
    },
  }
}

/** A replay that changed no row, or other rows, would be fast and would mean nothing. */
const checkReplay = async (bench: BenchDatabase, comparison: Comparison | null): Promise<void> => {
  if (comparison === null) return
  const paid = await countNumberedPaid(bench)
  if (paid !== comparison.paymentsTold())
    throw new CommandError(`of ${comparison.paymentsTold()} payments by pgbench ${paid} are paid: its script is wrong`)
}

const measureGrowth = async (server: BenchServer, requests: number): Promise<HeapGrowth> => {
  const heapMiB = async (count: number): Promise<number> => {
    await server.run('mixture', count)
    return (await server.process.memory()).heapBytes / MEBIBYTE
  }
  // Its payments are of three requests, so it sends a few more than it is told.
  const first = Math.round(requests * FIRST_PART)
  return { firstMiB: await heapMiB(first), lastMiB: await heapMiB(requests - first) }
}

/** In turn: one server has a database, and one operation at a time is what is measured. */
const mapInTurn = async <T>(each: (operation: Operation) => Promise<T>): Promise<Record<Operation, T>> => ({
  document: await each('document'),
  read: await each('read'),
  create: await each('create'),
  payment: await each('payment'),
})

const operationTable = (name: string, operations: DatabaseFigures['operations']): string =>
  table(
    [name, 'a second', 'p50 ms', 'p99 ms', 'CPU ms', 'heap MiB', 'RSS MiB', 'statements', 'transactions', 'of pgbench'],
    OPERATIONS.map((operation) => {
      const { perSecond, p50Ms, p99Ms, cpuMs, heapMiB, residentMiB, statements, transactions, ratio } =
        operations[operation]
      const cells = [perSecond, p50Ms, p99Ms, cpuMs, heapMiB, residentMiB, statements, transactions]
      return [operation, ...cells.map((cell) => String(readable(cell))), ratio === null ? '' : String(readable(ratio))]
    }),
  )

const withServer = async <T>(
  bench: BenchDatabase,
  program: 'real' | 'in process',
  poolOf: () => PayPool,
  work: (server: BenchServer) => Promise<T>,
): Promise<T> => {
  const server = await startBenchServer(bench, program, poolOf)
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

const measureOn = async (bench: BenchDatabase, { seconds, memoryRequests }: Sizes): Promise<DatabaseFigures> => {
  const began = performance.now()
  const progress = (what: string): void => printProgress(`${bench.engine}: ${what}, ${secondsSince(began)}`)
  const comparison = comparisonOn(bench)
  const measured = (server: BenchServer, operation: Operation, recorded: RecordedOperation) =>
    measureOperation(server, operation, recorded, {
      seconds,
      most: operation === 'payment' ? PAYMENTS_MOST : OTHERS_MOST,
      compare: comparison?.compare ?? null,
    })
  let pool: PayPool = { readIds: [], payIds: [] }
  const written = await withServer(
    bench,
    'in process',
    () => pool,
    async (server) => {
      const prepared = await prepareCheckouts(bench, CHECKOUTS)
      pool = payPoolOf(prepared)
      progress(`${CHECKOUTS} checkouts prepared`)
      const recorded = await mapInTurn((operation) => recordOperation(server, operation, prepared.numbered))
      // First: what it has compiled by then, payments find compiled.
      const growth = await measureGrowth(server, memoryRequests)
      progress(`memory read after ${memoryRequests} requests`)
      const payment = await measured(server, 'payment', recorded.payment)
      await checkReplay(bench, comparison)
      // Here, and not on the real server: one key sends what hundreds would, more than it may.
      const create = await measured(server, 'create', recorded.create)
      progress('payments and new checkouts measured')
      return { recorded, payment, create, growth }
    },
  )
  return withServer(
    bench,
    'real',
    () => pool,
    async (server) => {
      const { pid } = server.process.process
      const isPinned = pinToOneCore(pid, '0')
      const document = await measured(server, 'document', written.recorded.document)
      pinToOneCore(pid, `0-${availableParallelism() - 1}`)
      const read = await measured(server, 'read', written.recorded.read)
      progress('documents and readings measured')
      const { create, payment, growth } = written
      const operations: Record<Operation, OperationFigures> = { document, read, create, payment }
      return { name: bench.engine, operations, growth, isPinned }
    },
  )
}

export const parameters = '[seconds of a round] [requests until memory is read]'

export const measure = async ([
  givenSeconds = DEFAULT_SECONDS,
  givenRequests = DEFAULT_MEMORY_REQUESTS,
]: readonly string[]): Promise<Figures> => {
  const seconds = wholeNumber('the seconds of a round', givenSeconds, { from: 1, to: 60 })
  const memoryRequests = wholeNumber('the requests of the memory', givenRequests, { from: 1000, to: 10_000_000 })
  await ensureBuilt()
  const all: DatabaseFigures[] = []
  for (const engine of ['PostgreSQL', 'SQLite'] satisfies Engine[]) {
    const bench = await openBenchDatabase(engine, DURABLE)
    try {
      all.push(await measureOn(bench, { seconds, memoryRequests }))
    } finally {
      await bench.remove()
    }
  }
  const limits = all.flatMap(limitsOf)
  const tables = all.map(({ name, operations }) => operationTable(name, operations))
  printProgress(['', ...tables, limitTable(limits)].join('\n\n'))
  const measuredFigures = all.flatMap(({ name, operations, growth }) => [
    ...OPERATIONS.map((operation) => figuresNamed(`${name} ${operation}`, operations[operation])),
    figuresNamed(`${name} heap`, growth),
  ])
  const sizes = { secondsOfARound: seconds, rounds: ROUNDS, clients: CLIENTS, checkouts: CHECKOUTS, memoryRequests }
  return Object.fromEntries([sizes, ...measuredFigures, limitFigures(limits)].flatMap((each) => Object.entries(each)))
}
