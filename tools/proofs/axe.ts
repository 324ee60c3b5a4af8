import { PAGE_LOCALES } from '#contract/locale.ts'
import { axeViolations } from '../../journeys/axe.ts'
import type { Figures } from '../prove.ts'
import { say } from '../say.mjs'
import { chooseScreens, walkScreens } from '../screen-walk.ts'

const widths = [390, 1280]

/** Looks with axe (WCAG 2.2, A and AA) at every screen in every language, on a phone and on a desk. */
export const prove = async (names: string[]): Promise<Figures> => {
  const chosen = chooseScreens(names)
  let checks = 0
  let violations = 0
  await walkScreens(chosen, async ({ screen, locale, page }) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      const found = await axeViolations(page)
      for (const line of found) say(`${screen.name} ${locale} ${width}: ${line}`)
      checks += 1
      violations += found.length
    }
  })
  return { screens: chosen.length, languages: PAGE_LOCALES.length, widths: widths.length, checks, violations }
}
