import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandBlocksIn } from '../proof/harness/documented-commands.ts'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { typeCommands } from './harness/shell.ts'

const GUIDE = 'docs/merchant-guide.md'
/** What the fixture has done already: it starts what `npm start` starts. */
const START = 'npm start'
const PAY_HEADING = '## 5. Pay it'

const commandsIn = (part: string): string[] => commandBlocksIn(part).map(({ commands }) => commands)

test('whoever follows the merchant guide opens a shop, is paid and gives a part back', async ({ page, kaikei }) => {
  const guide = (await readFile(GUIDE, 'utf8')).replaceAll('localhost:3000', new URL(kaikei.merchantApi).host)
  const [before = '', after = ''] = guide.split(PAY_HEADING)
  const [start, ...preparing] = commandsIn(before)
  expect(start).toBe(START)
  const folder = await mkdtemp(join(tmpdir(), 'kaikei-guide-'))
  try {
    const prepared = await typeCommands(preparing, folder, kaikei.environment)
    expect(prepared.printed).toContain('"reference":"42"')

    const [open, ...reading] = commandsIn(after)
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
  } finally {
    await rm(folder, { recursive: true })
  }
})
