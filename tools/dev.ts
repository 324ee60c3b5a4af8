/**
 * npm run dev: the program of `npm start`, where Vite builds again what a change of page or console concerns, and Node starts
 * server and sandbox again. The browser is reloaded by hand: the server draws the page, and its policy runs built scripts alone.
 */
import { join } from 'node:path'
import { spawnExitingWithParent } from './exit-with-parent.ts'
import { ROOT } from './root.ts'
import { runCommand } from './run-command.ts'
import { programsOf, runPrograms, type Program } from './run/programs.ts'

const page: Program = { name: 'page', args: [join(ROOT, 'tools', 'build', 'watch-page.ts')], stdout: 2 }

/** What Node watches: of the sandbox all that it imports; the server reads the built page, and no import leads there. */
const WATCHED: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['--watch'],
  server: ['server', 'contract', 'payment', join('dist', '.stamp')].map((path) => `--watch-path=${path}`),
}

const watching = (program: Program): Program => ({
  ...program,
  args: [...(WATCHED[program.name] ?? []), '--watch-preserve-output', ...program.args],
})

await runCommand(() =>
  runPrograms(
    {
      // A Node that watches does not end when its channel closes.
      startProgram: ({ args, stdout }) =>
        spawnExitingWithParent(process.execPath, args, {
          stdio: ['ignore', stdout, 'inherit', 'ipc'],
          // No load balancer is in front: the next start need not wait.
          env: { DRAIN_MS: '0', ...process.env },
        }),
    },
    (config) => [page, ...programsOf(config).map(watching)],
  ),
)
