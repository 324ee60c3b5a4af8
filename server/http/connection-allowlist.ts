/** Connection allowlist: the header that names every address a page may reach, be it by a call, a frame or a link. */
import { bridgeOrigin } from '../origins.ts'

/** A shop's phone number and mail address. Without them a click on one ends on the browser's error page. */
const CONTACT_SCHEMES = ['mailto:*', 'tel:*']

/** What every entry must be: scheme, host and port, without a sign that has a meaning in the browser's patterns. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/

const originOf = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined
}

/**
 * The Content-Security-Policy lets a script that runs in the page open windows, leave the page, prefetch, load worklets and
 * ask WebRTC servers. A browser that knows this header reaches nothing from the page but its own origin, the bridge and where
 * its links lead. A shop's own redirects are followed, whichever host they name: a shopper must come back to the shop.
 */
export const connectionAllowlist = (base: URL, linked: readonly string[]): Readonly<Record<string, string>> => {
  const origins = [...new Set([bridgeOrigin(base), ...linked.flatMap((address) => originOf(address) ?? [])])]
  // A pattern that the browser cannot read would close the shop's link. Such a host is an IPv6 address on loopback.
  if (!origins.every((origin) => PLAIN_ORIGIN.test(origin))) return {}
  const patterns = [...origins, ...CONTACT_SCHEMES].map((pattern) => `"${pattern}"`)
  return { 'connection-allowlist': `(response-origin ${patterns.join(' ')});redirects=allow` }
}
