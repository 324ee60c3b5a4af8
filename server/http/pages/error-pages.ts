/** Error pages: drawn once for each language and shop, because a stranger can ask for them without a link. */
import type { PageLocale } from '#contract/locale.ts'
import type { ShopFacts } from '#contract/page.ts'
import { newNonce } from './document.ts'

export type ErrorPath = '/404' | '/500'

type DrawErrorPage = (path: ErrorPath, locale: PageLocale, nonce: string, shop: ShopFacts | null) => Promise<string>

/** How many drawn pages are kept, of 40 kB each. */
export const DRAWN_MAX = 200

/** Draws each page once and sends it from memory, each time with a new nonce. */
export const drawnOnce = (draw: DrawErrorPage): DrawErrorPage => {
  const placeholder = newNonce()
  const pages = new Map<string, Promise<string>>()
  return async (path, locale, nonce, shop) => {
    // The key holds all facts of the shop that are shown: after a change of its settings the page is drawn again.
    const key = JSON.stringify([path, locale, shop])
    const page = pages.get(key) ?? draw(path, locale, placeholder, shop)
    const [oldest] = pages.keys()
    if (oldest !== undefined && !pages.has(key) && pages.size >= DRAWN_MAX) pages.delete(oldest)
    pages.set(key, page)
    try {
      return (await page).replaceAll(placeholder, nonce)
    } catch (error) {
      // A page that could not be drawn once may be drawn the next time.
      pages.delete(key)
      throw error
    }
  }
}
