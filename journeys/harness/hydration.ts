/** Hydration: the page's own script runs from then on; it alone asks for the card prefixes. */
import type { Page } from '@playwright/test'
import { fieldOf } from './card-form.ts'

const waitForHydration = (page: Page) => page.waitForResponse('**/api/v1/bincodes')

/** Waits until the page's own script has taken over, on any screen. */
export const waitUntilLive = (page: Page): Promise<unknown> => page.locator('html[data-live]').waitFor()

/** Opens a link and waits until the page is hydrated. */
export const openHydrated = async (page: Page, url: string): Promise<void> => {
  await Promise.all([waitForHydration(page), page.goto(url)])
}

/** Opens a link with the page's own script held back; the returned function releases it and waits for hydration. */
export const openBeforeHydration = async (page: Page, url: string): Promise<() => Promise<void>> => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.route('**/assets/main-*.js', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(url, { waitUntil: 'commit' })
  await fieldOf(page, 'email').waitFor()
  return async () => {
    const hydrated = waitForHydration(page)
    resolve(undefined)
    await hydrated
  }
}
