/** Server of a bench: its process, a load in another process, and the figures of both for a number of operations. */
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../../proof/harness/server-process.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { startProductionServer } from '../../proof/programs/production-server.ts'
import { ROOT } from '../../tools/root.ts'
import type { BenchDatabase } from '../../proof/filled-database/bench-database.ts'
import type { LoadOrder } from './load.ts'

/** Connections of the load. */
export const CLIENTS = 8

/** Checkouts to read, and checkouts that are left to pay: each is paid once. */
export interface PayPool {
  readonly readIds: readonly string[]
  readonly payIds: string[]
}

/** Half of them are paid, the other half is read. */
export const payPoolOf = (ids: readonly string[]): PayPool => {
  const half = Math.floor(ids.length / 2)
  return { readIds: ids.slice(0, half), payIds: ids.slice(half) }
}

const IN_PROCESS = ['bench/server/in-process-server.ts']

const numberIn = (report: Readonly<Record<string, unknown>>, name: string): number => Number(report[name])

const messageFrom = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('message', resolve))

export const startBenchServer = async (
  { dataDir, url }: BenchDatabase,
  program: 'real' | 'in process',
  poolOf: () => PayPool,
  settings: Readonly<Record<string, string>> = {},
) => {
  const server = await startProductionServer({
    dataDir,
    // Nothing listens there: the real server is measured with operations that never ask the acquirer.
    sandboxPort: String(await freePort()),
    more: { ...(url === null ? {} : { DATABASE_URL: url }), ...settings },
    ...(program === 'real' ? {} : { args: IN_PROCESS }),
  })
  const load = fork(join(ROOT, 'bench/server/load.ts'))
  const site = { port: server.port, key: server.key }
  let place = 1
  return {
    process: server,
    run: async (operation: LoadOrder['operation'], count: number) => {
      const { readIds, payIds } = poolOf()
      const order: LoadOrder = {
        operation,
        site,
        readIds: [...readIds],
        payIds,
        firstPlace: place,
        count,
        clients: CLIENTS,
      }
      const cpuBefore = await server.cpuMs()
      load.send(order)
      const message = await messageFrom(load)
      const cpuMs = (await server.cpuMs()) - cpuBefore
      const report = isRecord(message) ? message : {}
      const failures = Array.isArray(report['failures']) ? report['failures'] : ['no report']
      if (failures.length > 0) throw new CommandError(`the load failed: ${failures.join('; ')}`)
      place += count
      payIds.splice(0, numberIn(report, 'paid'))
      const [perSecond, p50Ms, p99Ms] = ['perSecond', 'p50Ms', 'p99Ms'].map((name) => numberIn(report, name))
      return { perSecond: perSecond ?? 0, p50Ms: p50Ms ?? 0, p99Ms: p99Ms ?? 0, cpuMsEach: cpuMs / count }
    },
    stop: async (): Promise<void> => {
      load.kill('SIGKILL')
      await server.stop()
    },
  }
}

export type BenchServer = Awaited<ReturnType<typeof startBenchServer>>
