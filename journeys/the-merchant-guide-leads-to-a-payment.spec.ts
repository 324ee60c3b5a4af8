import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { freePort, type Kaikei } from './harness/program.ts'
import { typeCommands, typeElsewhere } from './harness/shell.ts'

/** The guide in each language, and the label of the shop that its reader opens: all read beside one server. */
const GUIDES = [
  { document: 'docs/merchant-guide.md', label: 'tea' },
  { document: 'docs/ja/merchant-guide.md', label: 'tea-ja' },
]
/** What the fixture has done already: it starts what `npm start` starts. */
const START = 'npm start'
const PAY_HEADING = /^## .*\b5\. .*$/m
const HOOK_HEADING = /^## .*\b9\. .*$/m
/** The first card that a part of the guide names. */
const CARD = /`(\d{4}(?: \d{4}){3})`/
/** The port of the reader's own program in the guide, and the secret that the reader copies. */
const HOOK_PORT = '8080'
const SECRET = 'whsec_…'

/** The blocks of a part of the guide, in order: commands, unless they are of another kind. */
const blocksIn = (part: string, kind = 'sh'): string[] =>
  [...part.matchAll(/^```([^\n]+)\n(.*?)^```$/gms)].flatMap(([, fence, block = '']) =>
    fence === kind ? [block.trim()] : [],
  )

interface Reader {
  readonly page: Page
  readonly kaikei: Kaikei
}

const follow = async (document: string, label: string, { page, kaikei }: Reader): Promise<void> => {
  const hookPort = String(await freePort())
  const guide = (await readFile(document, 'utf8'))
    .replaceAll(/(?<=--(?:label|merchant) )tea\b/g, label)
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
    const [, card = ''] = CARD.exec(after) ?? []
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
}

for (const { document, label } of GUIDES)
  test(`whoever follows ${document} opens a shop, is paid, gives a part back and is told of it`, async ({
    page,
    kaikei,
  }) => {
    test.slow()
    await follow(document, label, { page, kaikei })
  })
