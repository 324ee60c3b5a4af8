import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
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

test('whoever follows the merchant guide opens a shop, is paid, gives a part back and is told of it', async ({
  page,
  kaikei,
}) => {
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
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-guide-'))
  try {
    const prepared = await typeCommands(preparing, folder, kaikei.environment)
    expect(prepared.printed).toContain('"reference":"42"')

    const [open, ...reading] = blocksIn(after)
    const opened = await typeCommands([open ?? ''], folder, prepared.variables)
    const [url = ''] = /http:\S+/.exec(opened.printed) ?? []
    await page.goto(url)
    await expect(page.getByText('Aoyama Tea').first()).toBeVisible()
    const [, card = ''] = /Pay with the card `([\d ]+)`/.exec(after) ?? []
    await payWithCard(page, card)
    await expect(page).toHaveURL(/\/complete$/)

    const read = await typeCommands(reading, folder, opened.variables)
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
      const told = await typeCommands([hook.replace(SECRET, secret), forged, end, register], folder, read.variables)
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
