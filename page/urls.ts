import { foldFullWidth } from '#contract/card.ts'

/** URL check: only an http or https URL may become a link, a frame or a poll; a `javascript:` URL would run here. */
export const isHttpUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'http:' || protocol === 'https:'
}

/** Phone link: the digits and a leading plus. Shops also write full-width digits and `(+81)`. */
export const phoneHref = (text: string): string =>
  `tel:${foldFullWidth(text)
    .replace(/[^\d+]/g, '')
    .replace(/(?!^)\+/g, '')}`
