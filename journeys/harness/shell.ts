/** Shell: types the commands of a document into one, as its reader does. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** Says what was printed and which variables are set afterwards. */
export const typeCommands = async (
  commands: readonly string[],
  folder: string,
  variables: NodeJS.ProcessEnv,
): Promise<Terminal> => {
  const script = [
    'set -euo pipefail',
    // The reader stands in the folder of the program; files that the commands write must not end there.
    `npm() { command npm --prefix "${process.cwd()}" "$@"; }`,
    `command -v curl > /dev/null || curl() { node "${process.cwd()}/proof/whole-server/reference/curl-command.ts" "$@"; }`,
    ...commands,
    'env -0 > variables',
  ].join('\n')
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: variables, timeout: 50_000 })
  return { printed: stdout, variables: readVariables(await readFile(join(folder, 'variables'), 'utf8')) }
}
