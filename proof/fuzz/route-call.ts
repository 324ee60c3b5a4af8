/** Route call: what a valid call of a route is made of. */
import type { SeededRandom } from '../harness/seeded-random.ts'
import type { FuzzSite, KnownIds } from './fuzz-request.ts'

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
