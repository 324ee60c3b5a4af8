/** Known keys: API keys that were accepted lately. They open nothing; a call with one does not wait behind made-up keys. */
import { keyHashOf } from '../api-key.ts'
import { createRecentNames } from './recent-names.ts'

export interface RecentlyAcceptedKeys {
  /** Notes that the key in this Authorization header was accepted. */
  add(authorization: string | undefined): void
  /** The hash of the key in this Authorization header, where it was accepted lately. */
  find(authorization: string | undefined): string | undefined
}

export const createRecentlyAcceptedKeys = (): RecentlyAcceptedKeys => {
  const known = createRecentNames()
  return {
    add: (authorization) => {
      const hash = keyHashOf(authorization)
      if (hash !== null) known.add(hash)
    },
    find: (authorization) => {
      const hash = keyHashOf(authorization)
      return hash !== null && known.has(hash) ? hash : undefined
    },
  }
}
