import { PAGE_LOCALES } from '#contract/locale.ts'
import { axeViolations } from './axe.ts'
import { fieldOf } from './card-acts.ts'
import { expect } from './kaikei.ts'
import { test } from './links.ts'
import { movedScreens, openScreen, screens, stillScreens } from './screens.ts'

for (const [room, shown] of Object.entries(stillScreens)) {
  test(`nothing on ${room} keeps anybody from paying`, async ({ page, links }) => {
    for (const screen of shown) {
      await openScreen(page, screen, links, 'en-US')
      expect(await axeViolations(page), screen.name).toEqual([])
    }
  })
}

for (const screen of movedScreens) {
  test(`nothing on the screen ${screen.name} keeps anybody from paying`, async ({ page, links }) => {
    await openScreen(page, screen, links, 'en-US')
    expect(await axeViolations(page)).toEqual([])
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

test('a field of the card company’s page that lost its label would be found', async ({ page, links }) => {
  const challenge = screens.filter(({ name }) => name === 'challenge')
  expect(challenge).toHaveLength(1)
  for (const screen of challenge) {
    await openScreen(page, screen, links, 'en-US')
    await page
      .frameLocator('section iframe')
      .frameLocator('iframe')
      .locator('label')
      .evaluateAll((labels) => labels.forEach((label) => label.remove()))
    expect((await axeViolations(page)).join()).toContain('label: iframe > iframe > #code')
  }
})
