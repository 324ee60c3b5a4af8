/** API context: the one client of the console, the cache of what was read, and who is asked for the passkey. */
import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { createApi, type Api, type CallFailure } from './api.ts'
import { createAsking, nobodyAsks, type Ask } from './asking.ts'
import { watchPage } from './watch-page.ts'

/** How a reading of TanStack Query fails: it knows errors alone. */
export class CallFailed extends Error {
  readonly failure: CallFailure
  constructor(failure: CallFailure) {
    super(failure.code)
    this.name = 'CallFailed'
    this.failure = failure
  }
}

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallFailed
  }
}

export const SESSION_KEY = ['session'] as const

/** A refusal stays one; where nobody answered, or the server was busy, it is worth another try. */
const isWorthATry = ({ failure: { code } }: CallFailed): boolean => code === 'network_error' || code === 'unavailable'

interface ApiContextValue {
  readonly api: Api
  /** Who asks for the passkey from now on; the dialog of the shell. */
  setAsk(ask: Ask): void
}

const ApiContext = createContext<ApiContextValue | null>(null)

const createClients = (): ApiContextValue & { readonly queries: QueryClient } => {
  const { setAsk, confirm } = createAsking()
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (count, error) => count < 2 && isWorthATry(error),
        staleTime: 5000,
        // Otherwise a browser that takes itself for offline reads nothing and fails nothing: a screen would load for ever.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
    },
  })
  const api = createApi({
    fetcher: window.fetch.bind(window),
    confirm,
    onSignedOut: () => {
      // What was read stays in no tab of somebody who has signed out.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
      queries.setQueryData(SESSION_KEY, null)
    },
  })
  return {
    api,
    queries,
    setAsk,
  }
}

/** What is read by itself is read while somebody is at the page, and when somebody comes back to it. */
const watch = (notify: (isFocused?: boolean) => void): (() => void) =>
  watchPage(document, (isWatched) => notify(isWatched === focusManager.isFocused() ? undefined : isWatched))

export const ApiProvider = ({ children }: { readonly children: ReactNode }) => {
  const [clients] = useState(createClients)
  useEffect(() => focusManager.setEventListener(watch), [])
  return (
    <QueryClientProvider client={clients.queries}>
      <ApiContext value={clients}>{children}</ApiContext>
    </QueryClientProvider>
  )
}

const useApiContext = (): ApiContextValue => {
  const context = useContext(ApiContext)
  if (context === null) throw new Error('useApi outside ApiProvider')
  return context
}

export const useApi = (): Api => useApiContext().api

/** Makes `ask` the one who asks for the passkey, until the component that does is gone. */
export const useAskForPasskey = (ask: Ask): void => {
  const { setAsk } = useApiContext()
  useEffect(() => {
    setAsk(ask)
    return () => setAsk(nobodyAsks)
  }, [setAsk, ask])
}
