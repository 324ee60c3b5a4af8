import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'

const GUIDE = 'docs/merchant-guide.md'
/** What the fixture has done already: it starts what `npm start` starts. */
const START = 'npm start'
const PAY_HEADING = '## 5. Pay it'

const run = promisify(execFile)

/** The commands of a part of the guide, in order. */
const commandsIn = (part: string): string[] =>
  [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands.trim())

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

/** Types commands into a shell, as a reader does, and says what was printed and which variables are set afterwards. */
const type = async (commands: readonly string[], folder: string, variables: NodeJS.ProcessEnv): Promise<Terminal> => {
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

test('whoever follows the merchant guide opens a shop, is paid and gives a part back', async ({ page, kaikei }) => {
  const guide = (await readFile(GUIDE, 'utf8')).replaceAll('localhost:3000', new URL(kaikei.merchantApi).host)
  const [before = '', after = ''] = guide.split(PAY_HEADING)
  const [start, ...preparing] = commandsIn(before)
  expect(start).toBe(START)
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-guide-'))
  try {
    const prepared = await type(preparing, folder, kaikei.environment)
    expect(prepared.printed).toContain('"reference":"42"')

    const [open, ...reading] = commandsIn(after)
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
  } finally {
    await rm(folder, { recursive: true })
  }
})
