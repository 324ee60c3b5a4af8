/** npm start: builds the page where it is stale, then runs sandbox and server. */
import { ensureBuilt } from './build/page-build.ts'
import { CommandError } from './command-error.mjs'
import { runCommand } from './run-command.ts'
import { runPrograms } from './run/programs.ts'

await runCommand(async ([unknown]) => {
  if (unknown === undefined) return runPrograms({ prepare: ensureBuilt })
  throw new CommandError(
    `start does not know ${unknown}: it takes nothing; settings come from the environment (PORT=8080 npm start)`,
  )
})
