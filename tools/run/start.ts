/** npm start: builds the page, then supervises the sandbox and the server. */
import { ensureBuilt } from '../build/page-build.ts'
import { CommandError } from '../command-error.mjs'
import { printProgress } from '../progress.mjs'
import { ROOT } from '../root.ts'
import { runPrograms, serverProgram, startPrograms } from './programs.ts'
import type { Program, Supervisor } from './supervise.ts'
import { watchSources } from './watch-sources.ts'

const WATCHED = ['server', 'contract', 'payment', 'page', 'console', 'ui', 'sandbox', 'vite.config.ts']

const restartOnChange = (supervisor: Supervisor, sandbox: Program | undefined): void => {
  watchSources(ROOT, WATCHED, async (files) => {
    try {
      await ensureBuilt()
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      printProgress(error.message)
      // The previous build is still there, and good enough for a changed server.
      if ([...files].every((file) => /^(page|console|ui)\//.test(file))) return
    }
    if (sandbox !== undefined && [...files].some((file) => file.startsWith('sandbox/'))) {
      if ((await supervisor.restart(sandbox)) === 'ended') return
    }
    await supervisor.restart(serverProgram)
  })
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
  return runPrograms(isWatching ? 'wait' : 'end', async (supervisor, sandbox) => {
    await ensureBuilt()
    await startPrograms(supervisor, sandbox)
    if (isWatching) restartOnChange(supervisor, sandbox)
  })
}
