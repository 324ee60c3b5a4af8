import { QueryClient } from '@tanstack/react-query'

/**
 * Query client with the library's defaults, which are the specification's (section 9): three retries after 1, 2 and 4
 * seconds, five minutes in the cache, a refetch on focus and on reconnect. A journey tests them: a new version could change
 * them.
 */
export const newQueryClient = (): QueryClient => new QueryClient()
