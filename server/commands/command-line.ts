import type { Environment } from '../config/readers.ts'
import { messageOf } from '../log.ts'
import { runReconcile } from './reconcile.ts'

const CANNOT = 2
const EXIT_CODES = { agreed: 0, discrepancies: 1, incomplete: CANNOT } as const
const USAGE = '  npm run kaikei -- reconcile   compares our ledger with the acquirer’s statement and names every break'

interface Terminal {
  print(line: string): void
  printError(line: string): void
}

/** Command line: `npm run kaikei -- <command>`, beside a running server. Answers the exit code. */
export const runCommandLine = async (
  [name, more]: readonly string[],
  env: Environment,
  { print, printError }: Terminal,
): Promise<number> => {
  if (name !== 'reconcile') {
    printError(name === undefined ? 'Say what to do:' : `There is no command "${name}". There is:`)
    printError(USAGE)
    return CANNOT
  }
  if (more !== undefined) {
    printError(`reconcile takes nothing more, and "${more}" was given: leave it out.`)
    return CANNOT
  }
  try {
    const ending = await runReconcile(env, print)
    if (typeof ending === 'string') return EXIT_CODES[ending]
    printError(ending.problem)
  } catch (error) {
    printError(`reconcile could not be finished: ${messageOf(error)}.`)
  }
  return CANNOT
}
