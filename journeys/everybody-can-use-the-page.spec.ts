import { PAGE_LOCALES } from '#contract/locale.ts'
import { axeViolations } from './harness/axe.ts'
import { fieldOf } from './harness/card-form.ts'
import { bankFrameInAnyLanguage } from './harness/challenge.ts'
import { expect, test } from './harness/fixtures.ts'
import { waitForChallengeHelp } from './harness/payment-screens.ts'
import { openScreen, screens, screenGroups, SCREENS_OF_EVERY_RUN } from './harness/screens.ts'

test('axe finds no accessibility violation on the card page, a receipt and an error, and finds a field without its label', async ({
  page,
  links,
}) => {
  const looked = screens.filter(({ name }) => SCREENS_OF_EVERY_RUN.includes(name))
  expect(looked).toHaveLength(SCREENS_OF_EVERY_RUN.length)
  for (const screen of looked) {
    await openScreen(page, screen, links, 'en-US')
    expect(await axeViolations(page), screen.name).toEqual([])
  }
  await page.goto(`${links.open}/creditcard`)
  await fieldOf(page, 'email').evaluate((input) => {
    input.removeAttribute('placeholder')
    for (const label of document.querySelectorAll('label')) label.removeAttribute('for')
  })
  expect((await axeViolations(page)).join()).toContain('label')
})

for (const [group, screensOfGroup] of Object.entries(screenGroups))
  test(`axe finds no accessibility violation on ${group}`, { tag: '@proof' }, async ({ page, links }) => {
    expect(screensOfGroup).not.toHaveLength(0)
    for (const screen of screensOfGroup) {
      await openScreen(page, screen, links, 'en-US')
      // Axe judges no contrast below a drawing; a preview with its watermark is judged in the preview's own journey.
      await page
        .locator('svg:has(#preview-watermark)')
        .evaluateAll((sheets) => sheets.forEach((sheet) => sheet.setAttribute('display', 'none')))
      expect(await axeViolations(page), screen.name).toEqual([])
      if (group !== 'a challenge') continue
      await waitForChallengeHelp(page)
      expect(await axeViolations(page), 'the help').toEqual([])
      await bankFrameInAnyLanguage(page)
        .locator('label')
        .evaluateAll((labels) => labels.forEach((label) => label.remove()))
      expect((await axeViolations(page)).join(), 'a lost label').toContain('label: iframe > iframe > #code')
    }
  })

test(
  'axe finds no accessibility violation on the card page in any language',
  { tag: '@proof' },
  async ({ page, links }) => {
    const card = screens.filter(({ name }) => name === 'card')
    expect(card).toHaveLength(1)
    for (const screen of card) {
      for (const locale of PAGE_LOCALES) {
        await openScreen(page, screen, links, locale)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        expect(await axeViolations(page), locale).toEqual([])
      }
    }
  },
)
