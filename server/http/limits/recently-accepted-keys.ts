/** Known keys: API keys that were accepted lately. They open nothing; a call with one does not wait behind made-up keys. */
import { keyHashOf } from '../api-key.ts'

/** More than are busy at the same time; the one that was not used for longest is forgotten. */
export const KNOWN_KEYS_MAX = 10_000

export interface RecentlyAcceptedKeys {
  /** Notes that the key in this Authorization header was accepted. */
  add(authorization: string | undefined): void
  /** The hash of the key in this Authorization header, where it was accepted lately. */
  find(authorization: string | undefined): string | undefined
}

export const createRecentlyAcceptedKeys = (): RecentlyAcceptedKeys => {
  const known = new Set<string>()
  return {
    add: (authorization) => {
      const hash = keyHashOf(authorization)
      if (hash === null) return
      // Last in the order of the set.
      known.delete(hash)
      const [oldest] = known
      if (oldest !== undefined && known.size >= KNOWN_KEYS_MAX) known.delete(oldest)
      known.add(hash)
    },
    find: (authorization) => {
      const hash = keyHashOf(authorization)
      return hash !== null && known.has(hash) ? hash : undefined
    },
  }
}
