import { PAGE_LOCALES } from '#contract/locale.ts'
import { axeViolations } from './harness/axe.ts'
import { fieldOf } from './harness/card-form.ts'
import { expect, test } from './harness/fixtures.ts'
import { isOfferedHelp } from './harness/payment-screens.ts'
import { openScreen, screens, visits } from './harness/screens.ts'

for (const [visit, shown] of Object.entries(visits)) {
  test(`nothing on ${visit} keeps anybody from paying`, async ({ page, links }) => {
    expect(shown).not.toHaveLength(0)
    for (const screen of shown) {
      await openScreen(page, screen, links, 'en-US')
      expect(await axeViolations(page), screen.name).toEqual([])
      if (visit !== 'a challenge') continue
      await isOfferedHelp(page)
      expect(await axeViolations(page), 'the help').toEqual([])
      await page
        .frameLocator('section iframe')
        .frameLocator('iframe')
        .locator('label')
        .evaluateAll((labels) => labels.forEach((label) => label.remove()))
      expect((await axeViolations(page)).join(), 'a lost label').toContain('label: iframe > iframe > #code')
    }
  })
}

test('nothing on the card page keeps anybody from paying in their language', async ({ page, links }) => {
  const card = screens.filter(({ name }) => name === 'card')
  expect(card).toHaveLength(1)
  for (const screen of card) {
    for (const locale of PAGE_LOCALES) {
      await openScreen(page, screen, links, locale)
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      expect(await axeViolations(page), locale).toEqual([])
    }
  }
})

test('a field that lost its label would be found', async ({ page, links }) => {
  await page.goto(`${links.open}/creditcard`)
  await fieldOf(page, 'email').evaluate((input) => {
    input.removeAttribute('placeholder')
    for (const label of document.querySelectorAll('label')) label.removeAttribute('for')
  })
  expect((await axeViolations(page)).join()).toContain('label')
})
