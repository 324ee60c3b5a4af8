import { printProgress } from './progress.mjs'
import { command } from './setup/setup.mjs'

const CANNOT = 2

await command(
  import.meta.url,
  async (args) => {
    const { runCommandLine } = await import('../server/commands/command-line.ts')
    return runCommandLine(args, process.env, {
      say: (line) => process.stdout.write(`${line}\n`),
      complain: printProgress,
    })
  },
  CANNOT,
)
