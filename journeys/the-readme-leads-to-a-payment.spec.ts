import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandLinesIn, commandsRunBy } from '../proof/harness/documented-commands.ts'
import { payWithCard } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { typeCommands } from './harness/shell.ts'

const THIS_JOURNEY = 'journeys/the-readme-leads-to-a-payment.spec.ts'
/** The fixture has done the first, it starts what `npm start` starts; whoever runs all journeys does the second. */
const TWO_COMMANDS = ['npm start', 'npm test']
const KEY = 'sk_test_…'
const READMES = ['README.md', 'docs/ja/README.md']
/** The first card that the document names. */
const CARD = /`(\d{4}(?: \d{4}){3})`/

for (const document of READMES) {
  // The translation has the same commands: tools/test/japanese-documents.test.ts.
  const tag = document === 'README.md' ? [] : ['@proof']
  test(`whoever follows ${document} opens a checkout by curl and pays it`, { tag }, async ({ page, kaikei }) => {
    const readme = await readFile(document, 'utf8')
    const [two = '', ...first] = commandsRunBy(THIS_JOURNEY, readme)
    expect(commandLinesIn(two)).toEqual(TWO_COMMANDS)
    expect(first.join('\n')).toContain(KEY)
    const typed = first.map((commands) =>
      commands.replaceAll(KEY, kaikei.merchantKey).replaceAll('localhost:3000', new URL(kaikei.merchantApi).host),
    )
    const folder = await mkdtemp(join(tmpdir(), 'kaikei-readme-'))
    try {
      const { printed } = await typeCommands(typed, folder, kaikei.environment)
      const { id, url } = JSON.parse(printed) as { id: string; url: string }
      await page.goto(url)
      const [, card = ''] = CARD.exec(readme) ?? []
      await payWithCard(page, card)
      await expect(page).toHaveURL(/\/complete$/)
      expect((await kaikei.readCheckout(id)).status).toBe('paid')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
}
