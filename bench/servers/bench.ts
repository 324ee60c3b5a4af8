/**
 * Bench of several servers: CPU and statements of a payment, server and database apart, with one, two and three servers on one
 * PostgreSQL and one Redis or Valkey, beside one server that holds cards in its memory. Time of the processor, not of the clock:
 * the servers share this machine's cores, so a rate would say nothing about more machines.
 */
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstProgram, onPath } from '../../proof/programs/find-programs.ts'
import { freePort } from '../../proof/harness/server-process.ts'
import {
  DURABLE,
  openBenchDatabase,
  prepareCheckouts,
  type BenchDatabase,
} from '../../proof/filled-database/bench-database.ts'
import { newCardHoldKey } from '../../server/card-hold/keys-file.ts'
import type { Database } from '../../server/store/engine/database.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { median } from '../../tools/measurement/percentile.ts'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'
import { spawnExitingWithParent } from '../../tools/exit-with-parent.ts'
import { printProgress } from '../../tools/progress.mjs'
import { limitFigures, limitTable, readable, type Limit } from '../limits/limits.ts'
import { startBenchServer, type BenchServer, type PayPool } from '../server/bench-server.ts'

const DEFAULT_PAYMENTS = '600'
/** A multiple of the servers: each is the one that pays alone as often as the others. */
const ROUNDS = 6
const SERVERS = 3
/** Of each server, not counted: code is compiled in these. One that has paid less often would look dearer. */
const WARM_UP_PAYMENTS = 1200
/** The dearest of one, two and three servers by the cheapest. */
const DIFFERENCE_MAX = 1.1
/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10
const SETTINGS = { ...DURABLE, shared_preload_libraries: 'pg_stat_statements' }

/** CPU of every process of one PostgreSQL server, also of those that have ended. */
const databaseCpuMs = async (database: Database): Promise<number> => {
  const [row = {}] = await database.rows('SELECT pg_backend_pid() AS pid')
  const statOf = async (pid: string): Promise<string[]> =>
    (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).replace(/^.*\) /, '').split(' ')
  const [, postmaster = ''] = await statOf(String(row['pid']))
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await statOf(pid) })))
  // utime, stime, and of the postmaster cutime and cstime, which are those of its ended children.
  const ticks = stats
    .filter(({ pid, stat }) => pid === postmaster || stat[1] === postmaster)
    .flatMap(({ pid, stat }) => stat.slice(11, pid === postmaster ? 15 : 13).map(Number))
  return ticks.reduce((sum, each) => sum + each, 0) * TICK_MS
}

const statementsOf = async (database: Database): Promise<number> => {
  const [row = {}] = await database.rows('SELECT sum(calls)::BIGINT AS calls FROM pg_stat_statements')
  return Number(row['calls'])
}

interface Round {
  readonly serverCpuMs: number
  readonly databaseCpuMs: number
  readonly statements: number
}

/**
 * So many payments over these servers: what each has cost. One server after another, with the others up and their workers at work:
 * at once they would take the cores of this machine from each other, and a payment would look dearer with each.
 */
const measureRound = async (servers: readonly BenchServer[], database: Database, payments: number): Promise<Round> => {
  const each = Math.round(payments / servers.length)
  const [cpuBefore, statementsBefore] = [await databaseCpuMs(database), await statementsOf(database)]
  const rounds: { cpuMsEach: number }[] = []
  for (const server of servers) rounds.push(await server.run('payment', each))
  const [cpu, statements] = [await databaseCpuMs(database), await statementsOf(database)]
  const paid = each * servers.length
  return {
    serverCpuMs: rounds.reduce((sum, { cpuMsEach }) => sum + cpuMsEach, 0) / servers.length,
    databaseCpuMs: (cpu - cpuBefore) / paid,
    statements: (statements - statementsBefore) / paid,
  }
}

const startSharedHold = async (folder: string) => {
  const program = firstProgram(onPath(process.env, 'valkey-server', 'redis-server'), 'Valkey or Redis', 'redis-server')
  const port = await freePort()
  const child = spawnExitingWithParent(
    program,
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'ignore', 'ignore'] },
  )
  const exited = once(child, 'exit')
  const keysFile = join(folder, 'card-hold-keys')
  await writeFile(keysFile, newCardHoldKey(), { mode: 0o600 })
  return {
    settings: {
      CARD_HOLD_URL: `redis://127.0.0.1:${port}`,
      CARD_HOLD_KEYS_FILE: keysFile,
      SECRET_KEY: '0123456789abcdef'.repeat(2),
    },
    stop: async (): Promise<void> => {
      child.kill('SIGTERM')
      await exited
    },
  }
}

interface Stand {
  readonly database: Database
  readonly servers: readonly BenchServer[]
}

const poolsOf = (ids: readonly string[], count: number): PayPool[] =>
  Array.from({ length: count }, (_, place) => ({
    readIds: ids.slice(0, 1),
    payIds: ids.filter((_id, index) => index % count === place),
  }))

/** Servers on a database of their own, each with checkouts to pay. */
const withStand = async <T>(
  bench: BenchDatabase,
  settings: Readonly<Record<string, string>>,
  count: number,
  payments: number,
  work: (stand: Stand) => Promise<T>,
): Promise<T> => {
  let pools: PayPool[] = []
  const servers: BenchServer[] = []
  const database = await bench.open()
  try {
    for (let place = 0; place < count; place += 1)
      servers.push(
        await startBenchServer(bench, 'in process', () => pools[place] ?? { readIds: [], payIds: [] }, settings),
      )
    await database.rows('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
    pools = poolsOf(await prepareCheckouts(bench, payments), count)
    return await work({ database, servers })
  } finally {
    for (const server of servers) await server.stop()
    await database.close()
  }
}

const WHAT = {
  serverCpuMs: 'ms of CPU of the servers',
  databaseCpuMs: 'ms of CPU of the database',
  statements: 'statements',
}

export const parameters = '[payments of a round]'

export const measure = async ([given = DEFAULT_PAYMENTS]: readonly string[]): Promise<Figures> => {
  const payments = wholeNumber('the payments of a round', given, { from: 60, to: 10_000 })
  await ensureBuilt()
  const [shared, alone] = [
    await openBenchDatabase('PostgreSQL', SETTINGS),
    await openBenchDatabase('PostgreSQL', SETTINGS),
  ]
  const hold = await startSharedHold(shared.dataDir)
  const rounds = new Map<string, Round[]>()
  const checkouts = SERVERS * (WARM_UP_PAYMENTS + 2 * payments * ROUNDS)
  try {
    await withStand(shared, hold.settings, SERVERS, checkouts, (several) =>
      withStand(alone, {}, 1, checkouts, async (one) => {
        const inACircle = [...several.servers, ...several.servers]
        // Each round begins with another server: the one that has paid most has the fastest code.
        const standsOf = (round: number): [string, Stand][] => [
          ['memory hold, 1 server', one],
          ...Array.from({ length: SERVERS }, (_, place): [string, Stand] => [
            `shared hold, ${place + 1} servers`,
            { ...several, servers: inACircle.slice(round % SERVERS, (round % SERVERS) + place + 1) },
          ]),
        ]
        for (const server of [...one.servers, ...several.servers]) await server.run('payment', WARM_UP_PAYMENTS)
        printProgress('all servers have warmed up')
        // In turn, because another program on the machine slows a while of it down.
        for (let round = 1; round <= ROUNDS; round += 1)
          for (const [name, { servers, database }] of standsOf(round)) {
            const measured = await measureRound(servers, database, payments)
            rounds.set(name, [...(rounds.get(name) ?? []), measured])
            printProgress(`round ${round}, ${name}: ${JSON.stringify(measured)}`)
          }
      }),
    )
  } finally {
    await hold.stop()
    await shared.remove()
    await alone.remove()
  }
  const medianOf = (name: string, figure: keyof Round): number =>
    median((rounds.get(name) ?? []).map((each) => each[figure]))
  const names = [...rounds.keys()]
  const kinds = ['serverCpuMs', 'databaseCpuMs', 'statements'] as const
  const limits = kinds.map((kind): Limit => {
    const figures = names.filter((name) => name.startsWith('shared')).map((name) => medianOf(name, kind))
    const figure = Math.max(...figures) / Math.min(...figures)
    return {
      name: `payment: ${WHAT[kind]}, dearest by cheapest of 1, 2 and 3 servers`,
      figure,
      is: 'at most',
      limit: DIFFERENCE_MAX,
    }
  })
  printProgress(limitTable(limits))
  return {
    paymentsOfARound: payments,
    rounds: ROUNDS,
    ...Object.fromEntries(
      names.flatMap((name) => kinds.map((kind) => [`${name}, payment: ${WHAT[kind]}`, readable(medianOf(name, kind))])),
    ),
    ...limitFigures(limits),
  }
}
