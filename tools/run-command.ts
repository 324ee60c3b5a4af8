/** Runs a command as the process of an npm script: a fault that one line explains is printed without a stack. */
import { CommandError } from './command-error.mjs'
import { printProgress } from './progress.mjs'
import { ROOT } from './root.ts'

/** `work` gets the arguments and answers the exit code. */
export const runCommand = async (work: (args: readonly string[]) => Promise<number>): Promise<never> => {
  // A folder such as `DATA_DIR=data` is below the project, from wherever the command is run.
  process.chdir(ROOT)
  try {
    process.exit(await work(process.argv.slice(2)))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    printProgress(error.message)
    process.exit(1)
  }
}
