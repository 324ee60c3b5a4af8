/** Addresses that a shopper is sent to: links of a checkout, the shop's own site, and the hosts registered for live links. */
import { refuseField, type Refusal } from '#contract/errors.ts'
import { isLoopback } from '#contract/loopback.ts'
import type { MerchantMode } from '#contract/access.ts'
import { holdsCardNumber } from './card-number-detector.ts'
import { isMixedScriptHost } from './mixed-script-host.ts'

/** Turns punycode (`xn--…`) into Unicode. */
export type UnicodeHost = (host: string) => string

/** The URL parser ignores line breaks and zero bytes; a browser, a header or a database does not. */
const parseUrl = (text: string): URL | undefined =>
  URL.canParse(text) && !/\p{Cc}/u.test(text) ? new URL(text) : undefined

const MIXED_SCRIPTS = 'has a host that mixes letters of different scripts. Use the host in one script.'

export interface LinkRules {
  readonly mode: MerchantMode
  /** Where a live link may lead; a test link may lead anywhere. */
  readonly linkHosts: readonly string[]
  readonly unicodeHost: UnicodeHost
}

/**
 * We send shoppers to these links: https only; with a live key only to a registered host; with a test key also http on the
 * merchant's own machine. Stored as the URL parser writes it, so that every later reader reads the same address.
 */
export const readLink = (
  field: string,
  text: string,
  { mode, linkHosts, unicodeHost }: LinkRules,
): URL['href'] | Refusal => {
  const url = parseUrl(text)
  if (url === undefined)
    return refuseField(field, 'must be an absolute address such as https://shop.example.com/thanks.')
  const isHttps = url.protocol === 'https:'
  const isAllowed = isHttps || (mode === 'test' && url.protocol === 'http:' && isLoopback(url.hostname))
  if (!isAllowed || url.username !== '' || url.password !== '')
    return refuseField(
      field,
      'must begin with https:// and hold no user name (http:// only on localhost, with a test key).',
    )
  if (isMixedScriptHost(unicodeHost(url.hostname))) return refuseField(field, MIXED_SCRIPTS)
  // `host` contains a port other than 443: another port may be another program, which is not registered.
  if (mode === 'live' && !linkHosts.includes(url.host))
    return refuseField(field, 'leads to a host that is not registered. Add the host to linkHosts in the settings.')
  return url.href
}

/** The address of a shop's own site: the page makes a link of it where it is http or https. */
export const readShopUrl = (field: string, text: string, unicodeHost: UnicodeHost): string | Refusal => {
  const url = parseUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return refuseField(field, 'is no address. Give one such as https://shop.example.com, without a user name.')
  if (isMixedScriptHost(unicodeHost(url.hostname))) return refuseField(field, MIXED_SCRIPTS)
  return url.href
}

/** DNS labels, at least two. The last begins with a letter, so that no IP address is accepted. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Characters of an address that no host name has. The URL parser would silently drop them. */
const NOT_IN_A_HOST = /[\s\p{Cc}/\\?#@:%]/u

const readLinkHost = (field: string, text: string, unicodeHost: UnicodeHost): string | Refusal => {
  const url = NOT_IN_A_HOST.test(text) ? undefined : parseUrl(`https://${text}/`)
  if (url === undefined || !HOST_NAME.test(url.hostname))
    return refuseField(field, 'must be a host name alone such as shop.example.com, without https:// and path.')
  if (holdsCardNumber(text)) return refuseField(field, 'holds a card number. Leave it out.')
  return isMixedScriptHost(unicodeHost(url.hostname)) ? refuseField(field, MIXED_SCRIPTS) : url.hostname
}

/** Registered hosts as the URL parser writes them (lower case, punycode), each once; or what is wrong with one. */
export const readLinkHosts = (hosts: readonly string[], unicodeHost: UnicodeHost): string[] | Refusal => {
  const names = new Set<string>()
  for (const [place, text] of hosts.entries()) {
    const name = readLinkHost(`linkHosts.${place}`, text, unicodeHost)
    if (typeof name !== 'string') return name
    names.add(name)
  }
  return [...names]
}
