import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { freePort } from './harness/program.ts'
import { typeCommands, typeElsewhere } from './harness/shell.ts'

const GUIDE = 'docs/merchant-guide.md'
const GUIDE_IN_JAPANESE = 'docs/ja/merchant-guide.md'
/** What the fixture has done already: it starts what `npm start` starts. */
const START = 'npm start'
const PAY_HEADING = '## 5. Pay it'
const HOOK_HEADING = '## 9. Be told'
/** The port of the reader's own program in the guide, and the secret that the reader copies. */
const HOOK_PORT = '8080'
const SECRET = 'whsec_…'

/** All that a reader copies out of a guide: blocks of commands and code, and the numbers of cards. */
const copiedFrom = async (guide: string): Promise<readonly string[]> =>
  (await readFile(guide, 'utf8')).match(/^```.*?^```$|`\d{4}(?: \d{4}){3}`/gms) ?? []

/** The blocks of a part of the guide, in order: commands, unless they are of another kind. */
const blocksIn = (part: string, kind = 'sh'): string[] =>
  [...part.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].flatMap(([, fence, block = '']) =>
    fence === kind ? [block.trim()] : [],
  )

/** A folder that stands for the clone: the same names, each a link. What is written beside them is seen. */
const linkClone = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-guide-'))
  for (const name of await readdir(process.cwd())) await symlink(join(process.cwd(), name), join(folder, name))
  return folder
}

const FOLLOWED =
  'whoever follows the merchant guide opens a shop, is paid, gives a part back, is told of it and leaves no file behind'

// Forty seconds of commands: `npm run prove -- journeys` follows the guide.
test(FOLLOWED, { tag: '@proof' }, async ({ page, kaikei }) => {
  test.slow()
  // The same to the byte: what is typed once below is what readers of both languages type. A second run takes half a minute.
  expect(await copiedFrom(GUIDE_IN_JAPANESE)).toEqual(await copiedFrom(GUIDE))
  const hookPort = String(await freePort())
  const guide = (await readFile(GUIDE, 'utf8'))
    .replaceAll('localhost:3000', new URL(kaikei.merchantApi).host)
    .replaceAll(HOOK_PORT, hookPort)
  const [before = '', paying = ''] = guide.split(PAY_HEADING)
  const [after = '', hooking = ''] = paying.split(HOOK_HEADING)
  const [start, ...preparing] = blocksIn(before)
  expect(start).toBe(START)
  const folder = await linkClone()
  const names = await readdir(folder)
  let files = ''
  try {
    const prepared = await typeCommands(preparing, folder, kaikei.environment)
    expect(prepared.printed).toContain('"reference":"42"')
    // An answer of curl alone would end in the middle of the line on which the next command is typed.
    expect(prepared.printed).not.toContain('}{')

    const [open, ...reading] = blocksIn(after)
    const opened = await typeCommands([open ?? ''], folder, prepared.variables)
    const [url = ''] = /http:\S+/.exec(opened.printed) ?? []
    await page.goto(url)
    await expect(page.getByRole('img', { name: 'Aoyama Tea' }).first()).toBeVisible()
    const [, card = ''] = /Pay with the card `([\d ]+)`/.exec(after) ?? []
    await payWithCard(page, card)
    await expect(page).toHaveURL(/\/complete$/)

    const read = await typeCommands(reading, folder, opened.variables)
    expect(read.printed).toContain('"status":"paid"')
    expect(read.printed).toContain('"refundId":"return-1"')
    files = read.variables['FILES'] ?? ''
    expect(await readFile(join(files, 'movements.csv'), 'utf8')).toContain('return-1')

    const [code = ''] = blocksIn(hooking, 'ts')
    const [listen = ''] = blocksIn(hooking, 'sh another-terminal')
    const [hook = '', end = '', register = ''] = blocksIn(hooking)
    await writeFile(join(files, 'hook.mts'), code)
    const listening = await typeElsewhere(listen, folder, read.variables)
    try {
      const secret = listening.line.replace('secret: ', '')
      const forge = `fetch('http://localhost:${hookPort}/hook', { method: 'POST', body: '{}' })`
      const forged = `"${process.execPath}" -e "${forge}.then(({ status }) => console.log('forged', status))"`
      const log = 'cat "$FILES/hook.log"'
      const typed = [hook.replace(SECRET, secret), forged, log, end, register]
      const told = await typeCommands(typed, folder, read.variables)
      expect(told.printed).toContain("type: 'refund.succeeded'")
      expect(told.printed).toContain('forged 400')
      expect(told.printed).toContain('https://shop.example.com/hook')
      expect(told.printed).toContain("refundId: 'return-2'")
    } finally {
      listening.end()
    }
    expect(await readdir(folder)).toEqual(names)
    await expect(stat(files)).rejects.toThrow('ENOENT')
  } finally {
    await rm(folder, { recursive: true })
    if (files !== '') await rm(files, { recursive: true, force: true })
  }
})
