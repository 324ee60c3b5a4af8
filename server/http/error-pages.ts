/** Error pages: drawn once for each language, because a stranger can ask for them without a link. */
import type { PageLocale } from '#contract/locale.ts'
import { newNonce } from './document.ts'

export type ErrorPath = '/404' | '/500'

type DrawErrorPage = (path: ErrorPath, locale: PageLocale, nonce: string) => Promise<string>

/** The same pages from memory, each time with a nonce of its own. */
export const drawnOnce = (draw: DrawErrorPage): DrawErrorPage => {
  const placeholder = newNonce()
  const pages = new Map<string, Promise<string>>()
  return async (path, locale, nonce) => {
    const key = `${path} ${locale}`
    const page = pages.get(key) ?? draw(path, locale, placeholder)
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
