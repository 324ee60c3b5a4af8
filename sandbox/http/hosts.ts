import type { RequestListener } from 'node:http'
import { createRouter, type Route } from './router.ts'

/** Origins as a browser reaches them: the 3-D Secure server's own pages, the bank, and the checkout pages that frame both. */
export interface Origins {
  readonly threeDS: string
  readonly bank: string
  readonly checkouts: string
}

export interface Sites {
  readonly api: readonly Route[]
  readonly threeDS: readonly Route[]
  readonly bank: readonly Route[]
}

/** Every checkout host lies below the base: http://localhost:3000 frames as http://*.localhost:3000. */
export const checkoutOriginPattern = (pageBase: string): string => {
  const { protocol, host } = new URL(pageBase)
  return `${protocol}//*.${host}`
}

const hostOf = (origin: string): string => new URL(origin).host

/** Virtual hosts on one port: the two public hosts show pages and nothing else, every other host is the API. */
export const routeByHost = (sites: Sites, origins: Origins): RequestListener => {
  const listeners = new Map<string, RequestListener>([
    [hostOf(origins.threeDS), createRouter(sites.threeDS)],
    [hostOf(origins.bank), createRouter(sites.bank)],
  ])
  const api = createRouter(sites.api)
  return (request, response) => {
    const host = (request.headers.host ?? '').toLowerCase()
    const listener = listeners.get(host) ?? api
    listener(request, response)
  }
}
