/** Server under fuzz: the real process with the settings of production, its log read line by line, and its memory. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../../proof/harness/server-process.ts'
import { startSandbox, type SandboxProcess } from '../../../proof/harness/sandbox-process.ts'
import { countAnswer, errorLines, type AnswerCounts } from '../../../proof/whole-server/fuzz/log-lines.ts'
import type { FuzzSite } from '../../../proof/whole-server/fuzz/fuzz-request.ts'
import { readStartupLines } from '../../../journeys/harness/program.ts'
import { DEMO_LABEL } from '../../../server/demo/demo.ts'
import { readPageBuild } from '../../../server/http/page-build.ts'
import { CommandError } from '../../command-error.mjs'
import { serverProgram } from '../../run/start.ts'
import { ROOT } from '../../setup/setup.mjs'
import { readMemory, type Memory } from './inspected-heap.ts'

export interface ServerUnderFuzz {
  readonly site: FuzzSite
  readonly answers: AnswerCounts
  /** Whether it is still the process that was started. */
  isRunning(): boolean
  /** Error lines of its log so far, the first of them. */
  errors(): readonly string[]
  memory(): Promise<Memory>
  stop(): Promise<void>
}

/** A log of a million errors is as good as one of these. */
const ERRORS_KEPT = 50

const INSPECTOR = /^Debugger listening on (ws:\S+)/
/** What Node says of the inspector, by which alone this process differs from one in production. */
const INSPECTOR_WORDS = /^(Debugger (listening|attached|ending)|For help, see: https:\/\/nodejs\.org)/

const settingsOf = (port: number, data: string, sandbox: SandboxProcess): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  SANDBOX: 'on',
  DEMO: 'on',
  PORT: String(port),
  DATA_DIR: data,
  SANDBOX_PORT: new URL(sandbox.origin).port,
  SANDBOX_TIME_SCALE: '0.1',
  // As behind a proxy: every shopper has an address.
  TRUSTED_PROXIES: '127.0.0.1',
})

const endOf = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}

export const startServerUnderFuzz = async (): Promise<ServerUnderFuzz> => {
  const data = await mkdtemp(join(tmpdir(), 'kaikei-fuzz-'))
  const sandbox = await startSandbox()
  const port = await freePort()
  const [asset = ''] = (await readPageBuild()).assets.keys()
  const answers: AnswerCounts = new Map()
  const errors: string[] = []
  const { promise: inspectorUrl, resolve: foundInspector } = Promise.withResolvers<string>()
  const server = spawn(process.execPath, ['--inspect=127.0.0.1:0', ...serverProgram.args], {
    cwd: ROOT,
    env: settingsOf(port, data, sandbox),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (server.stderr === null) throw new Error('the server has no log')
  createInterface({ input: server.stderr }).on('line', (line) => {
    const url = INSPECTOR.exec(line)?.[1]
    if (url !== undefined) foundInspector(url)
    else if (line.startsWith('{"level":"info"')) countAnswer(answers, line)
    else if (!INSPECTOR_WORDS.test(line) && errors.length < ERRORS_KEPT) errors.push(...errorLines([line]))
  })
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await endOf(server)
    await sandbox.stop()
    await rm(data, { recursive: true, force: true })
  }
  const started = await readStartupLines(server).catch(() => undefined)
  if (started === undefined) {
    await stop()
    throw new CommandError(`the server did not start: ${errors.join(' ')}`)
  }
  server.stdout?.resume()
  const key = started.get('merchant-key') ?? ''
  return {
    site: { port, base: `localhost:${port}`, merchant: DEMO_LABEL, key, asset },
    answers,
    isRunning: () => server.exitCode === null && server.signalCode === null,
    errors: () => errors,
    memory: async () => readMemory(await inspectorUrl),
    stop,
  }
}
