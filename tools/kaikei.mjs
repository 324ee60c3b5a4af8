import { fileURLToPath } from 'node:url'
import { say } from './say.mjs'
import { command } from './setup.mjs'

const CANNOT = 2

await command(
  fileURLToPath(import.meta.url),
  async () => {
    const { runCommand } = await import('../server/commands/commands.ts')
    return runCommand(process.argv.slice(2), process.env, {
      say: (line) => process.stdout.write(`${line}\n`),
      complain: say,
    })
  },
  CANNOT,
)
