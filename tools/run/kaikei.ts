/** kaikei: the command line as a process, in a clone and in an unpacked release. */
import { runCommandLine } from '../../server/commands/command-line.ts'
import { printProgress } from '../progress.mjs'

export const runKaikei = (args: readonly string[]): Promise<number> =>
  runCommandLine(args, process.env, {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: printProgress,
  })

if (import.meta.main) process.exit(await runKaikei(process.argv.slice(2)))
