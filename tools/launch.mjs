// Launcher of every npm script: tools/launch.mjs <command> <arguments>. It installs the packages and moves to the bundled Node
// first, so it is JavaScript for the host's own Node 20.
import { loadCommand } from './commands.mjs'
import { runCommand } from './setup/setup.mjs'

const [command = '', ...args] = process.argv.slice(2)

// Scripts of an operator read the exit code: 1 says that a command found something, 2 that it could not do its work.
const failureExitCode = command === 'kaikei' ? 2 : 1

await runCommand(import.meta.url, async () => (await loadCommand(command))(args), failureExitCode)
