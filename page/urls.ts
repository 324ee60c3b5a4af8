/** URLs: what may become a link, a frame or a poll. */
import { foldFullWidth } from '#contract/card.ts'

/** URL parser: undefined for what is none. `URL.canParse` is missing in Safari before 17 and Chrome before 120. */
export const parseUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Origin check: scheme, host and port, and nothing else. */
export const isOrigin = (value: unknown): value is string =>
  typeof value === 'string' && parseUrl(value)?.origin === value

/** URL check: only an http or https URL may become a link, a frame or a poll; a `javascript:` URL would run here. */
export const isHttpUrl = (text: string): boolean => {
  const protocol = parseUrl(text)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

/** Phone link: the digits and a leading plus. Shops also write full-width digits and `(+81)`. */
export const phoneHref = (text: string): string =>
  `tel:${foldFullWidth(text)
    .replace(/[^\d+]/g, '')
    .replace(/(?!^)\+/g, '')}`
