/** Measure an operation: rounds of load on the server, and their medians. */
import { execFileSync } from 'node:child_process'
import type { Figures } from '../../tools/measurement/figures.ts'
import { median } from '../../tools/measurement/percentile.ts'
import { readable } from '../limits/limits.ts'
import { calmRate } from '../limits/rounds.ts'
import { CLIENTS, type BenchServer } from './bench-server.ts'
import type { Operation } from './requests.ts'

export const ROUNDS = 5
const MEBIBYTE = 2 ** 20

/** How many fit into a round, by the rate of the round before. */
export const countFor = (perSecond: number, seconds: number, most: number): number =>
  Math.max(CLIENTS, Math.min(most, Math.round(perSecond * seconds)))

/** Runs this process on these cores alone, where the system has a command for it; answers whether it has. */
export const pinToCores = (pid: number | undefined, cores: string): boolean => {
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
  { seconds, most }: { readonly seconds: number; readonly most: number },
) => {
  const rounds: Awaited<ReturnType<BenchServer['run']>>[] = []
  // Not counted: code is compiled and statements are planned in these.
  let { perSecond } = await server.run(operation, 25 * CLIENTS)
  perSecond = (await server.run(operation, countFor(perSecond, seconds, most))).perSecond
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures = await server.run(operation, countFor(perSecond, seconds, most))
    perSecond = figures.perSecond
    rounds.push(figures)
  }
  const { heapBytes, residentBytes } = await server.process.memory()
  return {
    perSecond: calmRate(rounds.map((each) => each.perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    /** Of each round the 99th percentile by the median; of these the median. */
    p99ToP50: median(rounds.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms)),
    cpuMs: median(rounds.map(({ cpuMsEach }) => cpuMsEach)),
    heapMiB: heapBytes / MEBIBYTE,
    residentMiB: residentBytes / MEBIBYTE,
  }
}

export type OperationFigures = Readonly<Awaited<ReturnType<typeof measureOperation>>>

export const figuresNamed = (prefix: string, figures: object): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}: ${name}`, readable(Number(value))]))
