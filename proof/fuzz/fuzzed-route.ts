/** Fuzzed route: a valid call of one route of the app, from which the others are made. */
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { FuzzRequest, FuzzSite, KnownIds } from './fuzz-request.ts'

export interface FuzzedRoute {
  /** What a valid call is answered with, where its checkout and its order are at the right step. */
  readonly reached: number
  readonly valid: (site: FuzzSite, ids: KnownIds, random: SeededRandom) => FuzzRequest
}

export const JSON_TYPE = { 'content-type': 'application/json' }

export type Address = string | ((ids: KnownIds, site: FuzzSite) => string)
export type Body = (random: SeededRandom, ids: KnownIds) => unknown

export const targetOf = (address: Address, ids: KnownIds, site: FuzzSite): string =>
  typeof address === 'string' ? address : address(ids, site)
