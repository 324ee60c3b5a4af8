import { join } from 'node:path'
import { readConfig, type Config } from '../../server/config/config.ts'
import { ensureBuilt } from '../build/page-build.ts'
import { onParentExit, STOP_SIGNALS } from '../exit-with-parent/watch-parent.mjs'
import { CommandError } from '../command-error.mjs'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../setup/setup.mjs'
import { createSupervisor, type Program, type Supervisor } from './supervise.ts'
import { watchSources } from './watch-sources.ts'

/** npm start: builds the page, then supervises the sandbox and the server. */

/** Without the option SIGUSR1 would open Node's inspector, which shows everything that the process holds in memory. */
export const serverProgram: Program = {
  name: 'server',
  args: ['--disable-sigusr1', 'server/main.ts'],
  reportsReady: false,
  stdout: 'shown',
}

/** A worker uses the sandbox of the server beside it: a second one would find the port taken. */
export const sandboxProgram = ({ sandbox, workerOnly, dataDir, publicBase }: Config): Program | undefined => {
  if (sandbox === null || workerOnly) return undefined
  const settings = {
    port: String(sandbox.port),
    'mailbox-port': String(sandbox.mailboxPort),
    host: '127.0.0.1',
    data: join(dataDir, 'sandbox'),
    'time-scale': String(sandbox.timeScale),
    'page-base': publicBase.origin,
    'three-ds-origin': sandbox.threeDSOrigin,
    'bank-origin': sandbox.bankOrigin,
  }
  const given = Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]))
  return { name: 'sandbox', args: ['sandbox/main.ts', ...given], reportsReady: true, stdout: 'to stderr' }
}

const WATCHED = ['server', 'contract', 'payment', 'page', 'sandbox', 'vite.config.ts']

const restartOnChange = (supervisor: Supervisor, sandbox: Program | undefined): void => {
  watchSources(ROOT, WATCHED, async (files) => {
    try {
      await ensureBuilt()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      printProgress(error.message)
      // The previous build is still there, and good enough for a changed server.
      if ([...files].every((file) => file.startsWith('page/'))) return
    }
    if (sandbox !== undefined && [...files].some((file) => file.startsWith('sandbox/'))) {
      if ((await supervisor.restart(sandbox)) === 'ended') return
    }
    await supervisor.restart(serverProgram)
  })
}

const startAll = async (supervisor: Supervisor, sandbox: Program | undefined, isWatching: boolean): Promise<number> => {
  await ensureBuilt()
  if (sandbox === undefined || (await supervisor.start(sandbox)) === 'ready') await supervisor.start(serverProgram)
  if (isWatching) restartOnChange(supervisor, sandbox)
  return supervisor.exitCode
}

/** Runs until one of the programs, our parent or the operator ends it. */
export const startServerAndSandbox = async (args: readonly string[]): Promise<number> => {
  const unknown = args.find((arg) => arg !== '--watch')
  if (unknown !== undefined) {
    printProgress(
      `start does not know ${unknown}: it takes --watch or nothing; settings come from the environment (PORT=8080 npm start)`,
    )
    return 1
  }
  const isWatching = args.length > 0
  const read = readConfig(process.env)
  if (!read.ok) {
    printProgress(read.problem)
    return 1
  }
  const sandbox = sandboxProgram(read.config)
  const supervisor = createSupervisor(isWatching ? 'wait' : 'end')
  for (const signal of STOP_SIGNALS) process.on(signal, () => supervisor.stop('requested'))
  onParentExit(() => supervisor.stop('process exited'))
  // Ctrl-C may come while the page is being built.
  return Promise.race([startAll(supervisor, sandbox, isWatching), supervisor.exitCode])
}
