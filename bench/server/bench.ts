/**
 * Bench of the server: the card page, readings, new checkouts and whole payments on both databases, over loopback and from
 * another process. Rates depend on the machine; two limits hardly do: the statements of each operation, which
 * proof/whole-server/statement-counts.test.ts holds in every `npm test`, and the CPU of a payment in server-limits.ts.
 */
import { availableParallelism } from 'node:os'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { printProgress, secondsSince } from '../../tools/progress.mjs'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import {
  DURABLE,
  openBenchDatabase,
  prepareCheckouts,
  type BenchDatabase,
} from '../../proof/filled-database/bench-database.ts'
import type { Engine } from '../../proof/filled-database/copy-checkout.ts'
import { limitFigures, limitTable, readable, table } from '../limits/limits.ts'
import { CLIENTS, payPoolOf, startBenchServer, type BenchServer, type PayPool } from './bench-server.ts'
import { figuresNamed, measureOperation, pinToCores, ROUNDS } from './measure-operation.ts'
import { OPERATIONS, type Operation } from './requests.ts'
import { limitsOf, type DatabaseFigures } from './server-limits.ts'

const DEFAULT_SECONDS = '2'
const DEFAULT_MEMORY_REQUESTS = '100000'
/** Half of them are paid. */
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

const measureGrowth = async (server: BenchServer, requests: number) => {
  const heapMiB = async (count: number): Promise<number> => {
    await server.run('mixture', count)
    return (await server.process.memory()).heapBytes / MEBIBYTE
  }
  // A payment is three requests, so the load sends a few more requests than its count.
  const first = Math.round(requests * FIRST_PART)
  return { firstMiB: await heapMiB(first), lastMiB: await heapMiB(requests - first) }
}

const operationTable = (name: string, operations: DatabaseFigures['operations']): string =>
  table(
    [name, 'a second', 'p50 ms', 'p99 ms', 'CPU ms', 'heap MiB', 'RSS MiB'],
    OPERATIONS.map((operation) => {
      const { perSecond, p50Ms, p99Ms, cpuMs, heapMiB, residentMiB } = operations[operation]
      const cells = [perSecond, p50Ms, p99Ms, cpuMs, heapMiB, residentMiB]
      return [operation, ...cells.map((cell) => String(readable(cell)))]
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
  const measured = (server: BenchServer, operation: Operation) =>
    measureOperation(server, operation, { seconds, most: operation === 'payment' ? PAYMENTS_MOST : OTHERS_MOST })
  let pool: PayPool = { readIds: [], payIds: [] }
  const poolOf = (): PayPool => pool
  const written = await withServer(bench, 'in process', poolOf, async (server) => {
    pool = payPoolOf(await prepareCheckouts(bench, CHECKOUTS))
    progress(`${CHECKOUTS} checkouts prepared`)
    // First, so that the code of a payment is compiled when payments are measured.
    const growth = await measureGrowth(server, memoryRequests)
    progress(`memory read after ${memoryRequests} requests`)
    const payment = await measured(server, 'payment')
    // Here, and not on the real server: one API key sends more requests than its rate limit allows.
    const create = await measured(server, 'create')
    progress('payments and new checkouts measured')
    return { payment, create, growth }
  })
  return withServer(bench, 'real', poolOf, async (server) => {
    const { pid } = server.process.process
    const isPinned = pinToCores(pid, '0')
    const document = await measured(server, 'document')
    pinToCores(pid, `0-${availableParallelism() - 1}`)
    const read = await measured(server, 'read')
    progress('documents and readings measured')
    const { create, payment, growth } = written
    return { name: bench.engine, operations: { document, read, create, payment }, growth, isPinned }
  })
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
