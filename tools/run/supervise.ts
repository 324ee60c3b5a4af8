import { spawn, type ChildProcess } from 'node:child_process'
import { readConfig } from '../../server/config/config.ts'
import { isRecord } from '../is-record.mjs'
import { printProgress } from '../progress.mjs'

export type Program = {
  name: string
  /** The script and its arguments. */
  args: string[]
  /** Whether others wait until it has sent `{ ready: true }`. */
  saysReady: boolean
  /** Only one program may write to stdout: scripts read its lines. */
  stdout: 'shown' | 'to stderr'
}

/** `asked`: Ctrl-C or SIGTERM. `death`: one of us or our parent is gone. */
type Cause = 'asked' | 'death'

const usualGatewayTimeoutMs = 20_000
const recordingMs = 10_000

/** As long as the acquirer may take to answer a charge, and then some to write down what came of it. */
const chargeMs = (): number => {
  const read = readConfig(process.env)
  return (read.ok ? read.config.gatewayTimeoutMs : usualGatewayTimeoutMs) + recordingMs
}

const graceMs: Record<Cause, () => number> = {
  asked: chargeMs,
  // With the 500 ms in which a lost parent is noticed this stays under two seconds.
  death: () => 800,
}
const exitCode: Record<Cause, number> = { asked: 0, death: 1 }
const readyLimitMs = 30_000

export type Supervisor = {
  start: (program: Program) => Promise<'ready' | 'ended'>
  /** Stops the program if it runs, then starts it. */
  restart: (program: Program) => Promise<'ready' | 'ended'>
  end: (cause: Cause) => void
  /** The exit code, once everything has stopped. */
  ended: Promise<number>
}

const saidReady = (child: ChildProcess, name: string): Promise<'ready' | 'ended'> =>
  new Promise((resolve) => {
    const limit = setTimeout(() => {
      printProgress(`${name} did not say that it is ready within ${readyLimitMs / 1000} s`)
      child.kill('SIGKILL')
    }, readyLimitMs)
    const settle = (result: 'ready' | 'ended'): void => {
      clearTimeout(limit)
      resolve(result)
    }
    child.on('message', (message) => {
      if (isRecord(message) && message['ready'] === true) settle('ready')
    })
    child.on('exit', () => settle('ended'))
  })

/** Runs programs that stand and fall together. With `onCrash: 'wait'` one that ends with an error waits for its restart. */
export const createSupervisor = (onCrash: 'end' | 'wait'): Supervisor => {
  const running = new Map<string, ChildProcess>()
  const restarting = new Set<ChildProcess>()
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<number>()
  let ending: Cause | undefined

  const killAll = (signal: NodeJS.Signals): void => {
    for (const child of running.values()) child.kill(signal)
  }

  // Asked to stop, the last to start goes first: the server may still need the sandbox to finish a payment.
  const stopNext = (cause: Cause): void => {
    if (running.size === 0) resolveEnded(exitCode[cause])
    else if (cause === 'asked') [...running.values()].at(-1)?.kill('SIGTERM')
  }

  const end = (cause: Cause): void => {
    if (ending === 'death' || ending === cause) return
    ending = cause
    if (cause === 'death') killAll('SIGTERM')
    setTimeout(() => killAll('SIGKILL'), graceMs[cause]()).unref()
    stopNext(cause)
  }

  const onExit = (program: Program, child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void => {
    if (running.get(program.name) === child) running.delete(program.name)
    if (ending !== undefined) return stopNext(ending)
    if (restarting.has(child)) return
    if (onCrash === 'wait' && signal === null) return printProgress(`${program.name} ended; waiting for a change`)
    // One that ends with an error has said why.
    if (signal !== null || code === 0)
      printProgress(`${program.name} ${signal === null ? 'ended' : `was killed (${signal})`}`)
    end('death')
  }

  const start = async (program: Program): Promise<'ready' | 'ended'> => {
    if (ending !== undefined) return 'ended'
    const child = spawn(process.execPath, program.args, {
      stdio: ['ignore', program.stdout === 'shown' ? 'inherit' : 2, 'inherit', 'ipc'],
      // In a group of its own, or the terminal's Ctrl-C would stop all at once and in no order.
      detached: true,
    })
    running.set(program.name, child)
    child.on('exit', (code, signal) => onExit(program, child, code, signal))
    return program.saysReady ? saidReady(child, program.name) : 'ready'
  }

  const restart = async (program: Program): Promise<'ready' | 'ended'> => {
    const child = running.get(program.name)
    if (child !== undefined) {
      restarting.add(child)
      const gone = new Promise((resolve) => {
        child.on('exit', resolve)
      })
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), graceMs.asked())
      await gone
      clearTimeout(limit)
    }
    return start(program)
  }

  return { start, restart, end, ended }
}
