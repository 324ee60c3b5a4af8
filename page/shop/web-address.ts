/** Only an address that parses as http or https becomes a link: `javascript:` and `httpx:` do not. */
export const isWebAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'http:' || protocol === 'https:'
}

/** What a phone dials: the digits and a leading plus. */
export const phoneHref = (text: string): string => `tel:${text.replace(/(?!^\+)[^\d]/g, '')}`
