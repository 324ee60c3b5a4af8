/**
 * Virtual hosts on one port: the two public hosts show pages and nothing else, the local hosts are the API, any other
 * host is nothing. `port` is the one that we listen on.
 */
import type { RequestListener } from 'node:http'
import { createRouter, hostHeaderOf, type Route } from './router.ts'

/** Origins as a browser reaches them: the 3-D Secure server's own pages, the bank, and the checkout pages that frame both. */
export interface Origins {
  readonly threeDS: string
  readonly bank: string
  readonly checkouts: string
}

export interface Sites {
  /** For callers on this machine alone: the acquirer, the 3-D Secure server's API, the card list, the request log. */
  readonly local: readonly Route[]
  readonly threeDS: readonly Route[]
  readonly bank: readonly Route[]
}

/** Every checkout host lies below the base: http://localhost:3000 frames as http://*.localhost:3000. */
export const checkoutOriginPattern = (pageBase: string): string => {
  const { protocol, host } = new URL(pageBase)
  return `${protocol}//*.${host}`
}

const hostOf = (origin: string): string => new URL(origin).host

const LOCAL_NAMES = ['127.0.0.1', 'localhost']
/** A client leaves this port out of the Host header. */
const HTTP_PORT = 80

const localHostsOf = (port: number): ReadonlySet<string> =>
  new Set(LOCAL_NAMES.flatMap((name) => (port === HTTP_PORT ? [name, `${name}:${port}`] : [`${name}:${port}`])))

export const routeByHost = (sites: Sites, origins: Origins, port: number): RequestListener => {
  const publicSites = new Map<string, RequestListener>([
    [hostOf(origins.threeDS), createRouter(sites.threeDS)],
    [hostOf(origins.bank), createRouter(sites.bank)],
  ])
  const local = createRouter(sites.local)
  const localHosts = localHostsOf(port)
  const nothing = createRouter([])
  return (request, response) => {
    const host = hostHeaderOf(request) ?? ''
    // Compared exactly, and no other header is asked: strangers would reach the acquirer by each host that we take for
    // a local one, and a proxy passes on whatever they send.
    const listener = publicSites.get(host.toLowerCase()) ?? (localHosts.has(host) ? local : nothing)
    listener(request, response)
  }
}
