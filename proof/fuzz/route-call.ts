/** Route call: the valid call of a route, and the headers by which its caller is known. */
import { CONSOLE_BASE } from '#contract/console/paths.ts'
import { MERCHANT_BASE, SHOPPER_BASE } from '#contract/paths.ts'
import { seededId, type SeededRandom } from '../harness/seeded-random.ts'
import type { FuzzRequest, FuzzSite, KnownIds } from './fuzz-request.ts'

export interface FuzzedRoute {
  /** What a valid call is answered with, where its checkout and its order are at the right step. */
  readonly reached: number
  readonly valid: (site: FuzzSite, ids: KnownIds, random: SeededRandom) => FuzzRequest
}

/** The valid call of a route: its method and its path are those of the route's name, with ids for the parameters. */
export interface RouteCall {
  readonly reached: number
  /** Of a page: the merchant's own host unless given. */
  readonly host?: 'base' | 'bridge'
  /** In place of the path in the route's name. */
  readonly path?: (ids: KnownIds, site: FuzzSite, random: SeededRandom) => string
  readonly query?: (random: SeededRandom, ids: KnownIds) => string
  /** Sent as JSON. */
  readonly json?: (random: SeededRandom, ids: KnownIds) => unknown
  /** Sent as it is, with its content type. */
  readonly body?: { readonly type: string; readonly text: (random: SeededRandom, ids: KnownIds) => string }
  readonly headers?: Readonly<Record<string, string>>
}

/** By method and address as the app declares them. */
export type RouteCalls = Readonly<Record<string, RouteCall>>

/** How often a call of the merchant API is made by a person, and a page is asked for at the console's host. */
const BY_PERSON_SHARE = 0.15

/** The console's own page, with one of the sessions; an unknown one where nobody has signed in. */
const consoleCaller = ({ base, merchant, console }: FuzzSite, random: SeededRandom): Record<string, string> => {
  const sessions = console?.sessions ?? []
  const session = sessions[random.between(0, Math.max(0, sessions.length - 1))] ?? seededId(random)
  return {
    host: `console.${base}`,
    'sec-fetch-site': 'same-origin',
    cookie: `kaikei-session=${session}`,
    merchant,
    mode: random.chance(0.9) ? 'test' : 'live',
  }
}

/** Who calls this path, as its headers say: a shop's server, the console, the shopper's page, or a browser that opens a page. */
const callerHeaders = (path: string, method: string, host: RouteCall['host'], site: FuzzSite, random: SeededRandom) => {
  const isByPerson = site.console !== undefined && random.chance(BY_PERSON_SHARE)
  if (path.startsWith(CONSOLE_BASE) || (isByPerson && path.startsWith(MERCHANT_BASE)))
    return consoleCaller(site, random)
  if (path.startsWith(MERCHANT_BASE)) return { host: site.base, authorization: `Bearer ${site.key}` }
  const own = `${site.merchant}.${site.base}`
  // A call of the shopper's page may be sent to the base as well as to the merchant's own host.
  if (path.startsWith(SHOPPER_BASE)) return { host: random.chance(0.5) ? site.base : own, merchant: site.merchant }
  const name = host === undefined ? own : { base: site.base, bridge: `3ds.${site.base}` }[host]
  if (method !== 'GET') return { host: name }
  const languages = { 'accept-language': random.oneOf(['ja', 'ko-KR,ko;q=0.9', 'zh-TW', '*', 'en']) }
  return { host: isByPerson ? `console.${site.base}` : name, ...languages }
}

/** What a path names that no answer tells: nothing that there is, but for the person who calls. */
const fillIn = (address: string, ids: KnownIds, { console }: FuzzSite, random: SeededRandom): string => {
  const known = new Map(Object.entries<string>({ ...ids, personId: console?.personId ?? 'nobody' }))
  return address.replaceAll(/:(\w+)/g, (_, id: string) => known.get(id) ?? seededId(random))
}

export const routeOf = (name: string, { reached, host, path, query, json, body, headers }: RouteCall): FuzzedRoute => {
  const [method = '', address = ''] = name.split(' ')
  // The page sends its calls without a body as empty JSON.
  const isEmptyJson = address.startsWith(SHOPPER_BASE) && method !== 'GET'
  const type = body?.type ?? (json !== undefined || isEmptyJson ? 'application/json' : undefined)
  return {
    reached,
    valid: (site, ids, random) => {
      const target = (path?.(ids, site, random) ?? fillIn(address, ids, site, random)) + (query?.(random, ids) ?? '')
      const caller = callerHeaders(target, method, host, site, random)
      const text = json === undefined ? body?.text(random, ids) : JSON.stringify(json(random, ids))
      return {
        method,
        target,
        headers: { ...caller, ...(type === undefined ? {} : { 'content-type': type }), ...headers },
        body: text ?? (isEmptyJson ? '' : null),
      }
    },
  }
}
