/** Supervisor: runs Node programs that stop together, each in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readConfig } from '../../server/config/config.ts'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'

export interface Program {
  readonly name: string
  /** The script and its arguments. */
  readonly args: readonly string[]
  /** Whether others wait until it has sent `{ ready: true }`. */
  readonly reportsReady: boolean
  /** Only one program may write to stdout: scripts read its lines. */
  readonly stdout: 'shown' | 'to stderr'
}

/** `requested`: Ctrl-C or SIGTERM. `process exited`: one of the programs or our parent is gone. */
type StopCause = 'requested' | 'process exited'

const DEFAULTS = { gatewayTimeoutMs: 20_000, drainMs: 1000 }
const RECORDING_MS = 10_000
const READY_TIMEOUT_MS = 30_000

/** As long as a server drains, then as long as the acquirer may take to answer a charge, and some to record its outcome. */
export const chargeGraceMs = (env: NodeJS.ProcessEnv): number => {
  const read = readConfig(env)
  const { gatewayTimeoutMs, drainMs } = read.ok ? read.config : DEFAULTS
  return drainMs + gatewayTimeoutMs + RECORDING_MS
}

const graceMs: Readonly<Record<StopCause, () => number>> = {
  requested: () => chargeGraceMs(process.env),
  // With the 500 ms until a lost parent is noticed this stays under two seconds.
  'process exited': () => 800,
}
const exitCodes: Readonly<Record<StopCause, number>> = { requested: 0, 'process exited': 1 }

export interface Supervisor {
  start(program: Program): Promise<'ready' | 'ended'>
  /** Stops the program if it runs, then starts it. */
  restart(program: Program): Promise<'ready' | 'ended'>
  stop(cause: StopCause): void
  /** The exit code, once everything has stopped. */
  readonly exitCode: Promise<number>
}

const waitUntilReady = (child: ChildProcess, name: string): Promise<'ready' | 'ended'> =>
  new Promise((resolve) => {
    const timeout = setTimeout(() => {
      printProgress(`${name} did not say that it is ready within ${READY_TIMEOUT_MS / 1000} s`)
      child.kill('SIGKILL')
    }, READY_TIMEOUT_MS)
    const settle = (result: 'ready' | 'ended'): void => {
      clearTimeout(timeout)
      resolve(result)
    }
    child.on('message', (message) => {
      if (isRecord(message) && message['ready'] === true) settle('ready')
    })
    child.on('exit', () => settle('ended'))
  })

/** Runs programs that all stop when one of them ends. With `onCrash: 'wait'` one that ends with an error waits for its restart. */
export const createSupervisor = (onCrash: 'end' | 'wait'): Supervisor => {
  const running = new Map<string, ChildProcess>()
  const restarting = new Set<ChildProcess>()
  const { promise: exitCode, resolve: resolveExitCode } = Promise.withResolvers<number>()
  let stopping: StopCause | undefined

  const killAll = (signal: NodeJS.Signals): void => {
    for (const child of running.values()) child.kill(signal)
  }

  // When a stop is requested, the last to start stops first: the server may still need the sandbox to finish a payment.
  const stopNext = (cause: StopCause): void => {
    if (running.size === 0) resolveExitCode(exitCodes[cause])
    else if (cause === 'requested') [...running.values()].at(-1)?.kill('SIGTERM')
  }

  const stop = (cause: StopCause): void => {
    if (stopping === 'process exited' || stopping === cause) return
    stopping = cause
    if (cause === 'process exited') killAll('SIGTERM')
    setTimeout(() => killAll('SIGKILL'), graceMs[cause]()).unref()
    stopNext(cause)
  }

  const onExit = (program: Program, child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void => {
    if (running.get(program.name) === child) running.delete(program.name)
    if (stopping !== undefined) return stopNext(stopping)
    if (restarting.has(child)) return
    if (onCrash === 'wait' && signal === null) return printProgress(`${program.name} ended; waiting for a change`)
    // One that ends with an error has printed why.
    if (signal !== null || code === 0)
      printProgress(`${program.name} ${signal === null ? 'ended' : `was killed (${signal})`}`)
    stop('process exited')
  }

  const start = async (program: Program): Promise<'ready' | 'ended'> => {
    if (stopping !== undefined) return 'ended'
    const child = spawn(process.execPath, program.args, {
      stdio: ['ignore', program.stdout === 'shown' ? 'inherit' : 2, 'inherit', 'ipc'],
      // In a group of its own, or the terminal's Ctrl-C would stop all at once and in no order.
      detached: true,
    })
    running.set(program.name, child)
    child.on('exit', (code, signal) => onExit(program, child, code, signal))
    return program.reportsReady ? waitUntilReady(child, program.name) : 'ready'
  }

  const restart = async (program: Program): Promise<'ready' | 'ended'> => {
    const child = running.get(program.name)
    if (child !== undefined) {
      restarting.add(child)
      const exited = new Promise((resolve) => {
        child.on('exit', resolve)
      })
      child.kill('SIGTERM')
      const timeout = setTimeout(() => child.kill('SIGKILL'), graceMs.requested())
      await exited
      clearTimeout(timeout)
    }
    return start(program)
  }

  return { start, restart, stop, exitCode }
}
