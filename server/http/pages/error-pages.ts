/** Error pages: drawn once for each language and shop, because a stranger can ask for them without a link. */
import type { PageLocale } from '#contract/locale.ts'
import type { ShopFacts } from '#contract/page.ts'
import { newNonce } from './document.ts'

export type ErrorPath = '/404' | '/500'

type DrawErrorPage = (path: ErrorPath, locale: PageLocale, nonce: string, shop: ShopFacts | null) => Promise<string>

/** Of 40 kB each. */
export const DRAWN_MAX = 200

/** The same pages from memory, each time with a nonce of its own. */
export const drawnOnce = (draw: DrawErrorPage): DrawErrorPage => {
  const placeholder = newNonce()
  const pages = new Map<string, Promise<string>>()
  return async (path, locale, nonce, shop) => {
    // With all that is shown of the shop: after a change of its settings another page is drawn.
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
