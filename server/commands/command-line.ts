import type { Environment } from '../config/readers.ts'
import { messageOf } from '../message-of.ts'
import type { Command } from './command.ts'
import { reconcileCommand } from './reconcile.ts'

const COMMANDS: readonly Command[] = [reconcileCommand]

const CANNOT = 2
const CODES = { 'nothing wrong': 0, 'something wrong': 1, 'not everything seen': CANNOT } as const

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
    complain(`${command.name} could not be finished: ${messageOf(error)}.`)
  }
  return CANNOT
}
