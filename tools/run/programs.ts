/** Programs: sandbox and server beside each other, as `npm start` and an unpacked release run them. They stop together. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig, type Config } from '../../server/config/config.ts'
import { onParentExit, STOP_SIGNALS } from '../exit-with-parent.ts'
import { printProgress } from '../progress.mjs'
import { startProblem } from './start-problem.ts'

/** A Node program that says when it is ready, and that ends when its channel to this process closes. */
export interface Program {
  readonly name: string
  /** Of Node: options, the script and its arguments. */
  readonly args: readonly string[]
  /** Only the server writes to stdout: scripts read its lines. */
  readonly stdout: 'inherit' | 2
}

/** By its whole path: a release is started from any folder, and keeps its data in that one. */
const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Without the option SIGUSR1 would open Node's inspector, which shows everything that the process holds in memory. */
export const serverProgram: Program = {
  name: 'server',
  args: ['--disable-sigusr1', fileOf('server/main.ts')],
  stdout: 'inherit',
}

/** A worker uses the sandbox of the server beside it: a second one would find the port taken. SANDBOX_URL names another's. */
const sandboxProgram = ({ sandbox, worker, dataDir, publicBase }: Config): Program[] => {
  if (sandbox === null || sandbox.own === null || worker === 'only') return []
  const settings = {
    port: String(sandbox.own.port),
    'mailbox-port': sandbox.mailboxPort?.toString() ?? null,
    host: '127.0.0.1',
    data: join(dataDir, 'sandbox'),
    'time-scale': String(sandbox.timeScale),
    'page-base': publicBase.origin,
    'three-ds-origin': sandbox.threeDSOrigin,
    'bank-origin': sandbox.bankOrigin,
  }
  const given = Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]))
  return [{ name: 'sandbox', args: [fileOf('sandbox/main.ts'), ...given], stdout: 2 }]
}

/** In the order of their start. */
export const programsOf = (config: Config): readonly Program[] => [...sandboxProgram(config), serverProgram]

const RECORDING_MS = 10_000

/** As long as a server drains, then as long as the acquirer may take to answer a charge, and some to record its outcome. */
export const chargeGraceMs = ({ drainMs, gatewayTimeoutMs }: Config): number =>
  drainMs + gatewayTimeoutMs + RECORDING_MS

/** With the time until a lost parent is noticed this stays under two seconds. */
const LOST_GRACE_MS = 800

const startOnChannel = ({ args, stdout }: Program): ChildProcess =>
  spawn(process.execPath, args, {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    // In a group of its own, or the terminal's Ctrl-C would stop all at once and in no order.
    detached: true,
  })

interface HowToRun {
  /** Comes before the programs; a stop may come before it is done. */
  readonly prepare?: () => Promise<void>
  readonly startProgram?: (program: Program) => ChildProcess
}

/** Runs programs until one of them, our parent or the operator ends them all. Answers the exit code: 0 when the operator did. */
export const superviseInOrder = async (
  programs: readonly Program[],
  graceMs: number,
  { prepare = async () => {}, startProgram = startOnChannel }: HowToRun = {},
): Promise<number> => {
  const running = new Set<ChildProcess>()
  const { promise: ended, resolve } = Promise.withResolvers<number>()
  let stopsWith: 0 | 1 | undefined

  const killAll = (signal: NodeJS.Signals): void => running.forEach((child) => child.kill(signal))

  const stopNext = (code: 0 | 1): void => {
    if (running.size === 0) resolve(code)
    // The last to start stops first: the server may still need the sandbox to finish a payment.
    else if (code === 0) [...running].at(-1)?.kill('SIGTERM')
  }
  const stop = (code: 0 | 1): void => {
    if (stopsWith === 1 || stopsWith === code) return
    stopsWith = code
    if (code === 1) killAll('SIGTERM')
    setTimeout(() => killAll('SIGKILL'), code === 0 ? graceMs : LOST_GRACE_MS).unref()
    stopNext(code)
  }
  const start = async (program: Program): Promise<void> => {
    if (stopsWith !== undefined) return
    const child = startProgram(program)
    running.add(child)
    child.on('exit', (code, signal) => {
      running.delete(child)
      if (stopsWith !== undefined) return stopNext(stopsWith)
      // One that ends with an error has printed why.
      if (signal !== null || code === 0)
        printProgress(`${program.name} ${signal === null ? 'ended' : `was killed (${signal})`}`)
      stop(1)
    })
    await Promise.race([once(child, 'message'), once(child, 'exit')])
  }
  for (const signal of STOP_SIGNALS) process.on(signal, () => stop(0))
  onParentExit(() => stop(1))
  const run = async (): Promise<number> => {
    await prepare()
    for (const program of programs) await start(program)
    return ended
  }
  return Promise.race([run(), ended])
}

/** Runs sandbox and server with the settings of the environment. */
export const runPrograms = async (how: HowToRun = {}, chosen = programsOf): Promise<number> => {
  const refuse = (problem: string): number => {
    printProgress(problem)
    return 1
  }
  const read = readConfig(process.env)
  if (!read.ok) return refuse(read.problem)
  const problem = await startProblem(read.config)
  if (problem !== null) return refuse(problem)
  return superviseInOrder(chosen(read.config), chargeGraceMs(read.config), how)
}
