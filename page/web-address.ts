import { foldFullWidth } from '#contract/card.ts'

/** Only an address that parses as http or https becomes a link: `javascript:` and `httpx:` do not. */
export const isWebAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'http:' || protocol === 'https:'
}

/** What a phone dials: the digits and a plus before them. Shops also write full-width digits and `(+81)`. */
export const phoneHref = (text: string): string =>
  `tel:${foldFullWidth(text)
    .replace(/[^\d+]/g, '')
    .replace(/(?!^)\+/g, '')}`
