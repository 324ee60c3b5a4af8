/** Production server: a server process with the settings of production and an inspector, its log read line by line. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../harness/server-process.ts'
import { readStartupLines } from '../../journeys/harness/program.ts'
import { CommandError } from '../../tools/command-error.mjs'
import { serverProgram } from '../../tools/run/programs.ts'
import { ROOT } from '../../tools/root.ts'
import { watchPauses, readCpuMs, readMainThreadMs, readMemory } from './inspected-process.ts'

export interface ServerSettings {
  readonly dataDir: string
  readonly sandboxPort: string
  /** Beside those of production. */
  readonly more?: Readonly<Record<string, string>>
  /** Arguments of Node; the real server by default. */
  readonly args?: readonly string[]
  onLogLine?(line: string): void
}

const INSPECTOR = /^Debugger listening on (ws:\S+)/
/** Lines of Node about the inspector, and of the server about root: a server in production does not print them. */
const EXPECTED_WORDS =
  /^(Debugger (listening|attached|ending)|For help, see: https:\/\/nodejs\.org|This server runs as root: )/
/** The first lines of the log, which say why a server did not start. */
const LINES_KEPT = 20

const environment = (port: number, { dataDir, sandboxPort, more }: ServerSettings): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  SANDBOX: 'on',
  DEMO: 'on',
  PORT: String(port),
  DATA_DIR: dataDir,
  SANDBOX_PORT: sandboxPort,
  SANDBOX_TIME_SCALE: '0.1',
  // As behind a proxy: every shopper has an address.
  TRUSTED_PROXIES: '127.0.0.1',
  ...more,
})

const endOf = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}

export const startProductionServer = async (settings: ServerSettings) => {
  const port = await freePort()
  const { promise: inspectorUrl, resolve: foundInspector } = Promise.withResolvers<string>()
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', ...(settings.args ?? serverProgram.args)], {
    cwd: ROOT,
    env: environment(port, settings),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (server.stderr === null) throw new Error('the server has no log')
  const firstLines: string[] = []
  createInterface({ input: server.stderr }).on('line', (line) => {
    const url = INSPECTOR.exec(line)?.[1]
    if (url !== undefined) foundInspector(url)
    if (EXPECTED_WORDS.test(line)) return
    if (firstLines.length < LINES_KEPT) firstLines.push(line)
    settings.onLogLine?.(line)
  })
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await endOf(server)
  }
  const started = await readStartupLines(server).catch(() => undefined)
  if (started === undefined) {
    await stop()
    throw new CommandError(`the server did not start: ${firstLines.join(' ')}`)
  }
  server.stdout?.resume()
  return {
    port,
    /** Of the demo merchant. */
    key: started.get('merchant-key') ?? '',
    /** Of the console; it makes the first owner until somebody has used it. */
    consoleLink: started.get('console') ?? '',
    process: server,
    isRunning: (): boolean => server.exitCode === null && server.signalCode === null,
    memory: async () => readMemory(await inspectorUrl),
    cpuMs: async () => readCpuMs(await inspectorUrl),
    mainThreadMs: async () => readMainThreadMs(await inspectorUrl),
    /** Watches its event loop from now on; returns how to read the longest pause. */
    watchPauses: async () => watchPauses(await inspectorUrl),
    stop,
  }
}

export type ProductionServer = Awaited<ReturnType<typeof startProductionServer>>
