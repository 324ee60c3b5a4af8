/** Shell: types the commands of a document into one, as its reader does. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface Terminal {
  readonly printed: string
  readonly variables: NodeJS.ProcessEnv
}

/** As `env -0` writes them. */
const readVariables = (text: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    text
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const PRELUDE = [
  'set -euo pipefail',
  // Playwright asks for colours, which no reader's file has.
  'unset FORCE_COLOR',
  // What was started and not ended must not outlive the test.
  `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT`,
  // The reader stands in the folder of the program; the shell in one that stands for it.
  `npm() { command npm --prefix "${process.cwd()}" "$@"; }`,
  `command -v curl > /dev/null || curl() { node "${process.cwd()}/proof/reference/curl-command.ts" "$@"; }`,
]

/** Types a command that does not end into a terminal of its own; answers the first line that it prints. */
export const typeElsewhere = async (command: string, folder: string, variables: NodeJS.ProcessEnv) => {
  const shell = spawn('bash', ['-c', [...PRELUDE, command].join('\n')], {
    cwd: folder,
    env: variables,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, which is ended as a whole: npm does not end what it has started.
    detached: true,
  })
  const lines = createInterface({ input: shell.stdout })
  const [line]: unknown[] = await once(lines, 'line')
  lines.resume()
  return { line: String(line), end: () => process.kill(-(shell.pid ?? 0), 'SIGKILL') }
}

/** Types commands into a shell, as a reader does, and says what was printed and which variables are set afterwards. */
export const typeCommands = async (
  commands: readonly string[],
  folder: string,
  variables: NodeJS.ProcessEnv,
): Promise<Terminal> => {
  // Not in the folder of the commands: a journey looks there for what they have left.
  const kept = await mkdtemp(join(tmpdir(), 'kaikei-variables-'))
  const file = join(kept, 'variables')
  const script = [...PRELUDE, ...commands, `env -0 > "${file}"`].join('\n')
  try {
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: variables, timeout: 50_000 })
    return { printed: stdout, variables: readVariables(await readFile(file, 'utf8')) }
  } finally {
    await rm(kept, { recursive: true })
  }
}
