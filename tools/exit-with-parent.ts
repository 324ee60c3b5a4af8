/** Exit with parent: foreign programs (npm, Vite, PostgreSQL, browsers) that cannot outlive this process, however it ends. */
import { spawn, type ChildProcess, type IOType } from 'node:child_process'
import { rmSync } from 'node:fs'

/** Ctrl-C, kill, and a terminal that closes. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The shell leaves a watcher behind and becomes the program. Nothing is ever written to descriptor 3: it ends when this process
 * has ended, and the watcher then ends the program with all that it has started.
 */
const BESIDE_A_WATCHER = `
{
  trap '' INT TERM HUP QUIT
  read -r _ <&3
  kill -s "$1" 0
  sleep 1
  kill -s KILL $$
  [ -z "$2" ] || rm -rf "$2"
  kill -s KILL 0
} >/dev/null 2>&1 &
shift 2
exec 3<&-
exec "$@"`

type Stream = IOType | number | null

interface Options {
  /** Of the program: input, output, errors, and whether it is a Node program with a channel. */
  readonly stdio?: readonly [Stream, Stream, Stream, channel?: 'ipc']
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly uid?: number
  readonly gid?: number
  /** Ends the program when this process has ended; SIGTERM if not given. */
  readonly stopSignal?: NodeJS.Signals
  /** Is removed when the program ends. */
  readonly removeFolder?: string
}

/** Starts a program that cannot outlive this process. */
export const spawnExitingWithParent = (
  command: string,
  args: readonly string[],
  { stdio = ['ignore', 'inherit', 'inherit'], stopSignal = 'SIGTERM', removeFolder, ...rest }: Options = {},
): ChildProcess => {
  const [input, output, errors, ...channel] = stdio
  const watched = ['-c', BESIDE_A_WATCHER, 'sh', stopSignal.slice('SIG'.length), removeFolder ?? '', command, ...args]
  const child = spawn('/bin/sh', watched, {
    ...rest,
    stdio: [input, output, errors, 'pipe', ...channel],
    // A group of its own: what kills our group would leave the program without its watcher.
    detached: true,
  })
  child.on('exit', () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Nothing is left of the group.
    }
    if (removeFolder !== undefined) rmSync(removeFolder, { recursive: true, force: true, maxRetries: 3 })
  })
  return child
}

/** Runs a program to its end and answers what it printed. */
export const runAndCapture = (
  command: string,
  args: readonly string[],
  options: Omit<Options, 'stdio'> = {},
): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawnExitingWithParent(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => (output += part))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })

/** Runs a program to its end; its output goes to ours. Answers its exit code. */
export const runWithOutput = (command: string, args: readonly string[], options: Omit<Options, 'stdio'> = {}) =>
  new Promise<number>((resolve, reject) => {
    const child = spawnExitingWithParent(command, args, options).on('exit', (code) => resolve(code ?? 1))
    child.on('error', reject)
  })

const PARENT_POLL_INTERVAL_MS = 500

// Read at the start: later it could already be the id of the process that adopted us.
const PARENT_AT_START = process.ppid

/** Calls `onExit` once when the process that started this one has ended, for one that it gave no channel. */
export const onParentExit = (onExit: () => void): void => {
  const timer = setInterval(() => {
    if (process.ppid === PARENT_AT_START) return
    clearInterval(timer)
    onExit()
  }, PARENT_POLL_INTERVAL_MS)
  timer.unref()
}
