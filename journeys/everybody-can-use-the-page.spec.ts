import { PAGE_LOCALES } from '#contract/locale.ts'
import { axeViolations } from './axe.ts'
import { expect } from './kaikei.ts'
import { openScreen, screens, test } from './screens.ts'

for (const screen of screens) {
  test(`nothing on the screen ${screen.name} keeps anybody from paying`, async ({ page, links }) => {
    await openScreen(page, screen, links, 'en-US')
    expect(await axeViolations(page)).toEqual([])
  })
}

const [card] = screens
for (const locale of PAGE_LOCALES.filter((name) => name !== 'en-US')) {
  test(`nothing on the card page keeps anybody from paying in ${locale}`, async ({ page, links }) => {
    expect(card).toBeDefined()
    if (card !== undefined) await openScreen(page, card, links, locale)
    await expect(page.locator('html')).toHaveAttribute('lang', locale)
    expect(await axeViolations(page)).toEqual([])
  })
}
