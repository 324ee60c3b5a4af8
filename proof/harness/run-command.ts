/** A command of the command line, run in this process: its exit code and what it printed. */
import { runCommandLine } from '../../server/commands/command-line.ts'
import type { Environment } from '../../server/config/readers.ts'

export interface CommandResult {
  readonly code: number
  readonly printed: readonly string[]
  readonly errors: readonly string[]
}

export const runCommand = async (args: readonly string[], env: Environment): Promise<CommandResult> => {
  const printed: string[] = []
  const errors: string[] = []
  const code = await runCommandLine(args, env, {
    print: (line) => printed.push(line),
    printError: (line) => errors.push(line),
  })
  return { code, printed, errors }
}
