// npm run kaikei: an operator’s commands beside a running server.
import { printProgress } from './progress.mjs'
import { runCommand } from './setup/setup.mjs'

const FAILED_EXIT_CODE = 2

await runCommand(
  import.meta.url,
  async (args) => {
    const { runCommandLine } = await import('../server/commands/command-line.ts')
    return runCommandLine(args, process.env, {
      print: (line) => process.stdout.write(`${line}\n`),
      printError: printProgress,
    })
  },
  FAILED_EXIT_CODE,
)
