import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { freePort } from './harness/program.ts'

const GUIDE = 'docs/merchant-guide.md'
/** What the fixture has done already: it starts what `npm start` starts. */
const START = 'npm start'
const PAY_HEADING = '## 5. Pay it'
const HOOK_HEADING = '## 9. Be told'
/** The port of the reader's own program in the guide, and the secret that the reader copies. */
const HOOK_PORT = '8080'
const SECRET = 'whsec_…'

const run = promisify(execFile)

/** The blocks of a part of the guide, in order: commands, unless they are of another kind. */
const blocksIn = (part: string, kind = 'sh'): string[] =>
  [...part.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].flatMap(([, fence, block = '']) =>
    fence === kind ? [block.trim()] : [],
  )

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
  // What was started and not ended must not outlive the test.
  `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT`,
  // The reader stands in the folder of the program; files that the commands write must not end there.
  `npm() { command npm --prefix "${process.cwd()}" "$@"; }`,
  `command -v curl > /dev/null || curl() { node "${process.cwd()}/proof/whole-server/reference/curl-command.ts" "$@"; }`,
]

/** Types a command that does not end into a terminal of its own; answers the first line that it prints. */
const typeElsewhere = async (command: string, folder: string, variables: NodeJS.ProcessEnv) => {
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
const type = async (commands: readonly string[], folder: string, variables: NodeJS.ProcessEnv): Promise<Terminal> => {
  const script = [...PRELUDE, ...commands, 'env -0 > variables'].join('\n')
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: variables, timeout: 50_000 })
  return { printed: stdout, variables: readVariables(await readFile(join(folder, 'variables'), 'utf8')) }
}

test('whoever follows the merchant guide opens a shop, is paid, gives a part back and is told of it', async ({
  page,
  kaikei,
}) => {
  test.slow()
  const hookPort = String(await freePort())
  const guide = (await readFile(GUIDE, 'utf8'))
    .replaceAll('localhost:3000', new URL(kaikei.merchantApi).host)
    .replaceAll(HOOK_PORT, hookPort)
  const [before = '', paying = ''] = guide.split(PAY_HEADING)
  const [after = '', hooking = ''] = paying.split(HOOK_HEADING)
  const [start, ...preparing] = blocksIn(before)
  expect(start).toBe(START)
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-guide-'))
  try {
    const prepared = await type(preparing, folder, kaikei.environment)
    expect(prepared.printed).toContain('"reference":"42"')

    const [open, ...reading] = blocksIn(after)
    const opened = await type([open ?? ''], folder, prepared.variables)
    const [url = ''] = /http:\S+/.exec(opened.printed) ?? []
    await page.goto(url)
    await expect(page.getByText('Aoyama Tea').first()).toBeVisible()
    const [, card = ''] = /Pay with the card `([\d ]+)`/.exec(after) ?? []
    await payWithCard(page, card)
    await expect(page).toHaveURL(/\/complete$/)

    const read = await type(reading, folder, opened.variables)
    expect(read.printed).toContain('"status":"paid"')
    expect(read.printed).toContain('"refundId":"return-1"')
    expect(await readFile(join(folder, 'movements.csv'), 'utf8')).toContain('return-1')

    const [code = ''] = blocksIn(hooking, 'ts')
    const [listen = ''] = blocksIn(hooking, 'sh another-terminal')
    const [hook = '', end = '', register = ''] = blocksIn(hooking)
    await writeFile(join(folder, 'hook.ts'), code)
    await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    const listening = await typeElsewhere(listen, folder, read.variables)
    try {
      const secret = listening.line.replace('secret: ', '')
      const forge = `fetch('http://localhost:${hookPort}/hook', { method: 'POST', body: '{}' })`
      const forged = `"${process.execPath}" -e "${forge}.then(({ status }) => console.log('forged', status))"`
      const told = await type([hook.replace(SECRET, secret), forged, end, register], folder, read.variables)
      expect(told.printed).toContain("type: 'refund.succeeded'")
      expect(told.printed).toContain('forged 400')
      expect(told.printed).toContain('https://shop.example.com/hook')
      expect(await readFile(join(folder, 'hook.log'), 'utf8')).toContain("refundId: 'return-2'")
    } finally {
      listening.end()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})
