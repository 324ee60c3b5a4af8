/** Programs: server and sandbox, as `npm start` and an unpacked release run them beside each other. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig, type Config } from '../../server/config/config.ts'
import { onParentExit, STOP_SIGNALS } from '../exit-with-parent.ts'
import { printProgress } from '../progress.mjs'
import { startProblem } from './already-running.ts'
import { createSupervisor, type Program, type Supervisor } from './supervise.ts'

/** By its whole path: a release is started from any folder, and keeps its data in that one. */
const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Without the option SIGUSR1 would open Node's inspector, which shows everything that the process holds in memory. */
export const serverProgram: Program = {
  name: 'server',
  args: ['--disable-sigusr1', fileOf('server/main.ts')],
  reportsReady: false,
  stdout: 'shown',
}

/** A worker uses the sandbox of the server beside it: a second one would find the port taken. SANDBOX_URL names another's. */
export const sandboxProgram = ({ sandbox, worker, dataDir, publicBase }: Config): Program | undefined => {
  if (sandbox === null || sandbox.own === null || worker === 'only') return undefined
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
  return { name: 'sandbox', args: [fileOf('sandbox/main.ts'), ...given], reportsReady: true, stdout: 'to stderr' }
}

export const startPrograms = async (supervisor: Supervisor, sandbox: Program | undefined): Promise<void> => {
  if (sandbox === undefined || (await supervisor.start(sandbox)) === 'ready') await supervisor.start(serverProgram)
}

/** Runs until one of the programs, our parent or the operator ends it. Answers the exit code. */
export const runPrograms = async (
  onCrash: 'end' | 'wait',
  begin: (supervisor: Supervisor, sandbox: Program | undefined) => Promise<void>,
): Promise<number> => {
  const read = readConfig(process.env)
  if (!read.ok) {
    printProgress(read.problem)
    return 1
  }
  const supervisor = createSupervisor(onCrash)
  for (const signal of STOP_SIGNALS) process.on(signal, () => supervisor.stop('requested'))
  onParentExit(() => supervisor.stop('process exited'))
  const untilTheEnd = async (): Promise<number> => {
    const problem = await startProblem(read.config)
    if (problem !== null) {
      printProgress(problem)
      return 1
    }
    await begin(supervisor, sandboxProgram(read.config))
    return supervisor.exitCode
  }
  // Ctrl-C may come while the page is being built.
  return Promise.race([untilTheEnd(), supervisor.exitCode])
}
