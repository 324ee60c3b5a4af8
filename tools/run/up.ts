import { join } from 'node:path'
import { readConfig, type Config } from '../../server/config/config.ts'
import { ensureBuilt } from '../build/page-build.ts'
import { onParentGone, stopSignals } from '../exit-with-parent/parent-exit.mjs'
import { CommandError } from '../command-error.mjs'
import { printProgress } from '../progress.mjs'
import { root } from '../setup/setup.mjs'
import { createSupervisor, type Program, type Supervisor } from './supervise.ts'
import { watchSources } from './watch.ts'

const server: Program = { name: 'server', args: ['server/main.ts'], saysReady: false, stdout: 'shown' }

/** A worker asks the acquirer that the server beside it has started: a second one would find the port taken. */
export const sandboxOf = ({ sandbox, workerOnly, dataDir, publicBase }: Config): Program | undefined => {
  if (sandbox === null || workerOnly) return undefined
  const settings = {
    port: String(sandbox.port),
    host: '127.0.0.1',
    data: join(dataDir, 'sandbox'),
    'time-scale': String(sandbox.timeScale),
    'page-base': publicBase.origin,
    'three-ds-origin': sandbox.threeDSOrigin,
    'bank-origin': sandbox.bankOrigin,
  }
  const given = Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]))
  return { name: 'sandbox', args: ['sandbox/main.ts', ...given], saysReady: true, stdout: 'to stderr' }
}

const watched = ['server', 'contract', 'payment', 'page', 'sandbox', 'vite.config.ts']

const restartOnChange = (supervisor: Supervisor, sandbox: Program | undefined): void => {
  watchSources(root, watched, async (files) => {
    try {
      await ensureBuilt()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      printProgress(error.message)
      // The former page still stands, and serves a changed server well enough.
      if ([...files].every((file) => file.startsWith('page/'))) return
    }
    if (sandbox !== undefined && [...files].some((file) => file.startsWith('sandbox/'))) {
      if ((await supervisor.restart(sandbox)) === 'ended') return
    }
    await supervisor.restart(server)
  })
}

const launch = async (supervisor: Supervisor, sandbox: Program | undefined, watching: boolean): Promise<number> => {
  await ensureBuilt()
  if (sandbox === undefined || (await supervisor.start(sandbox)) === 'ready') await supervisor.start(server)
  if (watching) restartOnChange(supervisor, sandbox)
  return supervisor.ended
}

export const up = async (args: readonly string[]): Promise<number> => {
  const unknown = args.find((arg) => arg !== '--watch')
  if (unknown !== undefined) {
    printProgress(
      `start does not know ${unknown}: it takes --watch or nothing; settings come from the environment (PORT=8080 npm start)`,
    )
    return 1
  }
  const watching = args.length > 0
  const read = readConfig(process.env)
  if (!read.ok) {
    printProgress(read.problem)
    return 1
  }
  const sandbox = sandboxOf(read.config)
  const supervisor = createSupervisor(watching ? 'wait' : 'end')
  for (const signal of stopSignals) process.on(signal, () => supervisor.end('asked'))
  onParentGone(() => supervisor.end('death'))
  // Ctrl-C may come while the page is being built.
  return Promise.race([launch(supervisor, sandbox, watching), supervisor.ended])
}
