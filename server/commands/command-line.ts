import type { Environment } from '../config/readers.ts'
import { messageOf } from '../log.ts'
import { runReconcile } from './reconcile.ts'

const CANNOT = 2
const EXIT_CODES = { agreed: 0, discrepancies: 1, incomplete: CANNOT } as const
const USAGE = '  npm run kaikei -- reconcile   compares our ledger with the acquirer’s statement and names every break'

interface Terminal {
  say(line: string): void
  complain(line: string): void
}

/** Command line: `npm run kaikei -- <command>`, beside a running server. Answers the exit code. */
export const runCommandLine = async (
  [name, more]: readonly string[],
  env: Environment,
  { say, complain }: Terminal,
): Promise<number> => {
  if (name !== 'reconcile') {
    complain(name === undefined ? 'Say what to do:' : `There is no command "${name}". There is:`)
    complain(USAGE)
    return CANNOT
  }
  if (more !== undefined) {
    complain(`reconcile takes nothing more, and "${more}" was given: leave it out.`)
    return CANNOT
  }
  try {
    const ending = await runReconcile(env, say)
    if (typeof ending === 'string') return EXIT_CODES[ending]
    complain(ending.problem)
  } catch (error) {
    complain(`reconcile could not be finished: ${messageOf(error)}.`)
  }
  return CANNOT
}
