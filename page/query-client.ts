/** Query client of the page, and the hook that reads one query of it: the only two parts of the library that the page needs. */
import { notifyManager, QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core'
import { useState, useSyncExternalStore } from 'react'
import { usePageContext } from './page-context.ts'

/**
 * With the library's defaults, which are the specification's (section 9): three retries after 1, 2 and 4 seconds, five
 * minutes in the cache, a refetch on focus and on reconnect. A journey tests them: a new version could change them.
 */
export const newQueryClient = (): QueryClient => new QueryClient()

interface QueryResult<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly refetch: () => void
}

/** Reads one query, and draws again when its data or its error changes. The options of the first drawing stay. */
export const useQuery = <T>(options: QueryObserverOptions<T>): QueryResult<T> => {
  const { queryClient } = usePageContext()
  const [{ subscribe, read }] = useState(() => {
    const observer = new QueryObserver<T>(queryClient, { ...options, notifyOnChangeProps: ['data', 'error'] })
    return {
      // One drawing for all changes of one answer.
      subscribe: (listener: () => void) => observer.subscribe(notifyManager.batchCalls(listener)),
      read: () => observer.getCurrentResult(),
    }
  })
  return useSyncExternalStore(subscribe, read, read)
}
