import { QueryClient } from '@tanstack/react-query'

/**
 * The library's own defaults are the specification's (section 9): three retries after 1, 2 and 4 seconds, five minutes in the
 * cache, a new reading on focus and on reconnect. A journey holds them to it, because a new version could change them.
 */
export const newQueryClient = (): QueryClient => new QueryClient()
