/**
 * Proof, overload: 8 payers beside a thousand page connections, the worst requests, slow connections and payment calls of no
 * link; on loopback alone. Floods of one merchant's calls are in the proof of the bad day.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { isRecord } from '../../tools/is-record.mjs'
import { printProgress } from '../../tools/progress.mjs'
import { ROOT } from '../../tools/root.ts'
import type { LoadKind, LoadReport } from './load.ts'
import { startProgram } from '../programs/started-program.ts'
import { payUntil, type PaymentTimes } from '../harness/paying-shoppers.ts'
import type { Figures } from '../../tools/measurement/figures.ts'
import { percentile } from '../../tools/measurement/percentile.ts'
import { wholeNumber } from '../../tools/measurement/whole-number.ts'

const PAYERS = 8
const PAY_P99_MAX_MS = 500
/** For the load to build up. */
const WARM_UP_MS = 3000
const DEFAULT_SECONDS = '30'

interface Load {
  readonly kind: LoadKind
  readonly connections: number
}

const LOADS: readonly Load[] = [
  { kind: 'pages', connections: 1000 },
  { kind: 'worst requests', connections: 60 },
  { kind: 'slow connections', connections: 1000 },
  { kind: 'payment calls of no link', connections: 300 },
]

const reportOf = async (load: ChildProcess): Promise<LoadReport> => {
  load.send('report')
  const message = await new Promise<unknown>((resolve) => load.once('message', resolve))
  const { total, shed, shedWithoutRetryAfter } = isRecord(message) ? message : {}
  return { total: Number(total), shed: Number(shed), shedWithoutRetryAfter: Number(shedWithoutRetryAfter) }
}

/**
 * Fails unless every payment was paid in time, and every shed request got a Retry-After. How much slower than
 * without a load is judged by the proof of the bad day: here the load takes as much of the two cores as it can.
 */
export const figuresOf = (
  kind: string,
  { payMs, failures }: Omit<PaymentTimes, 'wholeMs'>,
  load: LoadReport,
): Figures => {
  const p99 = percentile(payMs, 99)
  const problems = [
    ...failures.slice(0, 3),
    ...(payMs.length === 0 ? ['no payment ended'] : []),
    ...(p99 > PAY_P99_MAX_MS
      ? [`pay took ${Math.round(p99)} ms at the 99th percentile, more than ${PAY_P99_MAX_MS}`]
      : []),
    ...(load.shedWithoutRetryAfter > 0 ? [`${load.shedWithoutRetryAfter} answers 503 without Retry-After`] : []),
  ]
  if (problems.length > 0) throw new CommandError(`beside ${kind}: ${problems.join('; ')}`)
  return { payments: payMs.length, payP99Ms: Math.round(p99), answersToTheLoad: load.total, shed: load.shed }
}

interface Target {
  readonly port: number
  readonly key: string
}

const payQuietly = async ({ port, key }: Target, seconds: number): Promise<number> => {
  const { payMs, failures } = await payUntil(port, key, performance.now() + seconds * 1000, PAYERS)
  if (failures.length > 0) throw new CommandError(`without any load: ${failures.slice(0, 3).join('; ')}`)
  return percentile(payMs, 99)
}

const payBeside = async ({ kind, connections }: Load, { port, key }: Target, seconds: number): Promise<Figures> => {
  const load = fork(join(ROOT, 'proof/overload/load.ts'), [kind, String(port), String(connections)])
  try {
    await wait(WARM_UP_MS)
    const times = await payUntil(port, key, performance.now() + seconds * 1000, PAYERS)
    const figures = figuresOf(kind, times, await reportOf(load))
    printProgress(`beside ${connections} ${kind}: ${JSON.stringify(figures)}`)
    return figures
  } finally {
    load.kill('SIGKILL')
  }
}

export const parameters = '[seconds of each load]'

export const measure = async ([given = DEFAULT_SECONDS]: readonly string[]): Promise<Figures> => {
  const seconds = wholeNumber('the seconds of each load', given, { from: 5, to: 600 })
  await ensureBuilt()
  const program = await startProgram()
  try {
    const target = { port: program.port, key: program.merchantKey }
    const quietPayP99Ms = Math.round(await payQuietly(target, seconds))
    const figures: Record<string, Figures[string]> = { secondsOfEachLoad: seconds, payers: PAYERS, quietPayP99Ms }
    for (const load of LOADS)
      for (const [name, value] of Object.entries(await payBeside(load, target, seconds)))
        figures[`${load.kind}: ${name}`] = value
    return figures
  } finally {
    await program.stop()
  }
}
