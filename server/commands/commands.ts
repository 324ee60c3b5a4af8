import type { Environment } from '../config-readers.ts'
import { reconcileCommand } from './reconcile.ts'

/** How a command ended: all is well, it found something wrong, or it could not do its work and says why. */
export type Ending = { readonly found: 'nothing wrong' | 'something wrong' } | { readonly problem: string }

export interface Command {
  readonly name: string
  readonly summary: string
  run(args: readonly string[], env: Environment, say: (line: string) => void): Promise<Ending>
}

const COMMANDS: readonly Command[] = [reconcileCommand]

const CODES = { 'nothing wrong': 0, 'something wrong': 1 } as const
const CANNOT = 2

interface Terminal {
  say(line: string): void
  complain(line: string): void
}

/** `npm run kaikei -- <command>`: does it beside a running server, and answers the code to end with. */
export const runCommand = async (
  [name, ...args]: readonly string[],
  env: Environment,
  { say, complain }: Terminal,
): Promise<number> => {
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) {
    complain(name === undefined ? 'Say what to do:' : `There is no command "${name}". There is:`)
    for (const each of COMMANDS) complain(`  npm run kaikei -- ${each.name}   ${each.summary}`)
    return CANNOT
  }
  try {
    const ending = await command.run(args, env, say)
    if ('found' in ending) return CODES[ending.found]
    complain(ending.problem)
  } catch (error) {
    complain(`${command.name} could not be finished: ${error instanceof Error ? error.message : String(error)}.`)
  }
  return CANNOT
}
