/** Server process: the real server in a process of its own, with no setting but those given. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../server/dependencies.ts'

const KAIKEI = fileURLToPath(new URL('../../tools/run/kaikei.ts', import.meta.url))
export const SERVER_MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** Lets a server listen on a free port of loopback, and answers which. */
export const listenOnFreePort = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** Listens on a free port until `server` is closed. */
export const occupyPort = async (): Promise<{ readonly port: number; readonly server: Server }> => {
  const server = createServer()
  return { port: await listenOnFreePort(server), server }
}

/**
 * Below those that the system gives to outgoing connections: one of these would take a port before the server that it is meant
 * for listens. Each process takes its own, one after another, or two could take the same.
 */
const PORTS = { from: 20_000, to: 32_000, ofOneProcess: 40 }
const firstPort = PORTS.from + ((process.pid * PORTS.ofOneProcess) % (PORTS.to - PORTS.from))
let portsTaken = 0

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  const isOurs = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  server.close()
  return isOurs
}

/** A free port whose next one is free too: a sandbox has its mailbox there, where a server looks for it. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = firstPort + (portsTaken % PORTS.ofOneProcess)
    portsTaken += 2
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

/** Whether a process listens on this port. One that has ended does not, even where its parent has not reaped it yet. */
export const isPortTaken = (port: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

export interface ServerProcess {
  readonly child: ChildProcess
  readonly stdoutLines: () => string[]
  readonly stderrLines: () => string[]
  /** Resolves with the `name: value` lines that it printed before `ready`. */
  ready(): Promise<Record<string, string>>
  /** Resolves with code and signal once it has ended, however long ago. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly afterMs: number }>
}

const splitLines = (output: string): string[] => output.split('\n').filter((line) => line !== '')

/** A worker prints nothing before it. */
const isReady = (output: string): boolean => /(^|\n)ready\n$/.test(output)

/** All that a process of ours takes over: where programs are, and how it loads its code. */
export const barestEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** `main`: of another release. */
export const spawnServer = (env: Readonly<Record<string, string>>, main = SERVER_MAIN): ServerProcess => {
  const began = systemClock.now()
  const child = spawn(process.execPath, [main], {
    env: { ...barestEnvironment(), LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let stdoutText = ''
  let stderrText = ''
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('the server has no pipes')
  stdout.setEncoding('utf8').on('data', (part: string) => (stdoutText += part))
  stderr.setEncoding('utf8').on('data', (part: string) => (stderrText += part))
  // Not 'close': Node does not emit it any more once the channel was disconnected from this side.
  const ended = Promise.all([once(child, 'exit'), once(stdout, 'end'), once(stderr, 'end')]).then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    afterMs: systemClock.now() - began,
  }))
  return {
    child,
    stdoutLines: () => splitLines(stdoutText),
    stderrLines: () => splitLines(stderrText),
    ended,
    ready: async () => {
      await Promise.race([once(child, 'message'), ended])
      // The message may overtake the lines, which take another pipe.
      while (child.exitCode === null && child.signalCode === null && !isReady(stdoutText)) await systemClock.sleep(5)
      if (!isReady(stdoutText)) throw new Error(`the server did not start: ${stderrText}`)
      return Object.fromEntries(
        splitLines(stdoutText)
          .filter((line) => line.includes(': '))
          .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
      )
    },
  }
}

/** What a command printed, and how it ended. */
export interface EndedCommand {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of the command line in a process of its own, as an operator does. */
export const runCommandLine = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<EndedCommand> => {
  const child = spawn(process.execPath, [KAIKEI, ...args], {
    env: { ...barestEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}

/** Throws unless it ends with 0. */
export const runKaikei = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<EndedCommand> => {
  const ended = await runCommandLine(args, env)
  if (ended.code !== 0) throw new Error(`kaikei ${args[0]} ended with ${ended.code}: ${ended.stderr}`)
  return ended
}
