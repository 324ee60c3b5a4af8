/** Screen visits: opens every screen in every language, on a program of its own. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { startKaikei } from '../../journeys/harness/program.ts'
import { createScreenLinks } from '../../journeys/harness/screen-links.ts'
import { openScreen, screens } from '../../journeys/harness/screens.ts'
import type { Screen } from '../../journeys/harness/screen.ts'
import { launchChromium } from '../../tools/browser/browser.ts'
import { ensureBuilt } from '../../tools/build/page-build.ts'
import { CommandError } from '../../tools/command-error.mjs'

/** One screen that is open in one language. */
export interface ScreenVisit {
  readonly screen: Screen
  readonly locale: PageLocale
  readonly page: Page
}

/** The machine that this is measured on has two cores. */
const PAGES_AT_ONCE = 2

/** The named screens, or all of them. */
export const chooseScreens = (names: readonly string[]): readonly Screen[] => {
  const unknown = names.find((name) => !screens.some((screen) => screen.name === name))
  if (unknown !== undefined) {
    throw new CommandError(`there is no screen ${unknown}: name one of ${screens.map(({ name }) => name).join(', ')}`)
  }
  return names.length === 0 ? screens : screens.filter(({ name }) => names.includes(name))
}

const visitInBrowser = async (
  browser: Browser,
  chosen: readonly Screen[],
  visit: (opened: ScreenVisit) => Promise<void>,
): Promise<void> => {
  const { kaikei, stop } = await startKaikei()
  try {
    const viewport = { width: 390, height: 844 }
    // The card company's page follows the browser, not the page around it.
    const contexts = new Map<PageLocale, BrowserContext>()
    for (const locale of PAGE_LOCALES) contexts.set(locale, await browser.newContext({ viewport, locale }))
    const links = await createScreenLinks(kaikei, await browser.newPage({ viewport }))
    const waiting = chosen.flatMap((screen) => PAGE_LOCALES.map((locale) => ({ screen, locale }))).values()
    const visitWaiting = async (): Promise<void> => {
      for (const { screen, locale } of waiting) {
        const page = await contexts.get(locale)?.newPage()
        if (page === undefined) throw new Error(`no browser context for ${locale}`)
        try {
          await openScreen(page, screen, links, locale)
        } catch (error) {
          throw new Error(`${screen.name} could not be opened in ${locale}`, { cause: error })
        }
        await visit({ screen, locale, page })
        await page.close()
      }
    }
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, visitWaiting))
  } finally {
    await stop()
  }
}

/** Starts the whole program on ports and data of its own and opens each screen in every language. */
export const visitScreens = async (
  chosen: readonly Screen[],
  visit: (opened: ScreenVisit) => Promise<void>,
): Promise<void> => {
  await ensureBuilt()
  const browser = await launchChromium()
  try {
    await visitInBrowser(browser, chosen, visit)
  } finally {
    await browser.close()
  }
}
