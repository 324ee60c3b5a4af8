/** Control files: the control pages of each screen and language, made of what the program draws, with its own pictures. */
import type { Browser } from '@playwright/test'
import { bareForm, picturesOf, sameWords, type ControlPage } from './control-pages.ts'
import type { ControlFile } from './control-server.ts'
import { readDrawnParts } from './drawn-parts.ts'
import { fetchAsSent } from './program.ts'
import { PHONE } from './visit.ts'

/** The page that a visit comes from. */
export const SHOP_PATH = '/shop'

interface DrawnScreen {
  readonly screen: string
  readonly locale: string
  readonly ours: string
}

const MEDIA_TYPES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', png: 'image/png' }

const mediaTypeOf = (path: string): string => MEDIA_TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

const html = (text: string): ControlFile => ({ body: Buffer.from(text), mediaType: 'text/html; charset=utf-8' })

/** Runs in the browser. */
const areShopPicturesThere = (): boolean =>
  [...document.querySelectorAll('#page img')].every((each) => each instanceof HTMLImageElement && each.naturalWidth > 0)

/**
 * Read once the page is alive, when what is only there for browsers without scripts is hidden, and its pictures have come:
 * they get their addresses a moment later, and without them the control would be a lighter page than ours.
 */
const readControlPage = async (browser: Browser, { locale, ours }: DrawnScreen): Promise<ControlPage> => {
  const page = await browser.newPage(PHONE)
  await page.goto(ours)
  await page.locator('html[data-live]').waitFor({ state: 'attached' })
  await page.waitForFunction(areShopPicturesThere)
  const parts = await readDrawnParts(page)
  const title = await page.title()
  await page.close()
  return { locale, title, parts }
}

/** By their path on the control server. */
export const controlFiles = async (
  browser: Browser,
  screens: readonly DrawnScreen[],
): Promise<Map<string, ControlFile>> => {
  const files = new Map<string, ControlFile>([[SHOP_PATH, html('<!doctype html><title>shop</title>')]])
  for (const drawn of screens) {
    const control = await readControlPage(browser, drawn)
    const path = `/${drawn.screen}/${drawn.locale}`
    files.set(`${path}/same-words`, html(sameWords(control)))
    files.set(`${path}/bare-form`, html(bareForm(control)))
    for (const picture of picturesOf(control)) {
      const { pathname } = new URL(picture)
      if (!files.has(pathname))
        files.set(pathname, { body: (await fetchAsSent(picture)).body, mediaType: mediaTypeOf(pathname) })
    }
  }
  return files
}
