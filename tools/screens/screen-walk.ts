import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { PAGE_LOCALES, type PageLocale } from '#contract/locale.ts'
import { openKaikei } from '../../journeys/harness/program.ts'
import { prepareLinks } from '../../journeys/harness/links.ts'
import { openScreen, screens } from '../../journeys/harness/screens.ts'
import type { Screen } from '../../journeys/harness/screen.ts'
import { ensureBrowser } from '../browser/browser.ts'
import { ensureBuilt } from '../build/page-build.ts'
import { CommandError } from '../command-error.mjs'

/** Two pages at once: the machine that this is measured on has two cores. */
const lanes = 2

export type Stop = { screen: Screen; locale: PageLocale; page: Page }

/** The named screens, or all of them. */
export const chooseScreens = (names: readonly string[]): readonly Screen[] => {
  const unknown = names.find((name) => !screens.some((screen) => screen.name === name))
  if (unknown !== undefined) {
    throw new CommandError(`there is no screen ${unknown}: name one of ${screens.map(({ name }) => name).join(', ')}`)
  }
  return names.length === 0 ? screens : screens.filter(({ name }) => names.includes(name))
}

const walk = async (
  browser: Browser,
  chosen: readonly Screen[],
  visit: (stop: Stop) => Promise<void>,
): Promise<void> => {
  const { kaikei, stop } = await openKaikei()
  try {
    const viewport = { width: 390, height: 844 }
    // The card company's page follows the browser, not the page around it.
    const contexts = new Map<PageLocale, BrowserContext>()
    for (const locale of PAGE_LOCALES) contexts.set(locale, await browser.newContext({ viewport, locale }))
    const links = await prepareLinks(kaikei, await browser.newPage({ viewport }))
    const stops = chosen.flatMap((screen) => PAGE_LOCALES.map((locale) => ({ screen, locale }))).values()
    const lane = async (): Promise<void> => {
      for (const { screen, locale } of stops) {
        const page = await contexts.get(locale)?.newPage()
        if (page === undefined) throw new Error(`no browser speaks ${locale}`)
        try {
          await openScreen(page, screen, links, locale)
        } catch (error) {
          throw new Error(`${screen.name} could not be opened in ${locale}`, { cause: error })
        }
        await visit({ screen, locale, page })
        await page.close()
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  } finally {
    await stop()
  }
}

/** Starts the whole program on ports and data of its own and visits screens in every language. */
export const walkScreens = async (
  chosen: readonly Screen[],
  visit: (stop: Stop) => Promise<void>,
  after: (browser: Browser) => Promise<void> = () => Promise.resolve(),
): Promise<void> => {
  await ensureBuilt()
  const browser = await chromium.launch({
    executablePath: await ensureBrowser(process.env),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    await walk(browser, chosen, visit)
    await after(browser)
  } finally {
    await browser.close()
  }
}
