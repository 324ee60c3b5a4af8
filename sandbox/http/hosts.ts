import { createRouter, type Listener, type Route } from './router.ts'

/** As a browser reaches them: the 3-D Secure server's own pages, the bank, and the checkout pages that frame both. */
export type Origins = { threeDS: string; bank: string; checkouts: string }

/** Every checkout host lies below the base: http://localhost:3000 frames as http://*.localhost:3000. */
export const checkoutsBelow = (pageBase: string): string => {
  const { protocol, host } = new URL(pageBase)
  return `${protocol}//*.${host}`
}

const hostOf = (origin: string): string => new URL(origin).host

type Sites = { api: readonly Route[]; threeDS: readonly Route[]; bank: readonly Route[] }

/** One port, three sites: the two public hosts show pages and nothing else, every other host is the API. */
export const createSites = (sites: Sites, origins: Origins): Listener => {
  const listeners = new Map<string, Listener>([
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
