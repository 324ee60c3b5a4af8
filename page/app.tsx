/** App root: the providers of data, language and route around the routes. The server draws the same component. */
import { useEffect, useState } from 'react'
import type { PageAddress } from '#contract/page.ts'
import type { Api } from './api.ts'
import { seedCheckout } from './checkout/use-checkout.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import type { InitialData } from './initial-data.ts'
import { PageContext } from './page-context.ts'
import { loadLazyParts } from './load-lazy-parts.ts'
import { LiveProvider } from './live.tsx'
import { newQueryClient } from './query-client.ts'
import { Routes } from './routes.tsx'
import { MenuListLoader } from './ui/menu.tsx'
import type { Words } from './words/en-US.ts'
import { LanguageProvider } from './words/language-provider.tsx'

export interface AppProps {
  readonly api: Api
  readonly initialData: InitialData
  readonly words: Words
  /** On the server, where there is no `window.location`. */
  readonly address?: PageAddress
}

export const App = ({ api, initialData, words, address }: AppProps) => {
  const [context] = useState(() => {
    const queryClient = newQueryClient()
    seedCheckout(queryClient, initialData.checkout)
    return { api, queryClient, initialData, ...(address && { address }) }
  })
  useEffect(() => {
    // From here on it hears of focus and reconnect.
    context.queryClient.mount()
    return () => context.queryClient.unmount()
  }, [context])
  return (
    <PageContext value={context}>
      <LanguageProvider initial={{ locale: initialData.locale, words }}>
        <MenuListLoader value={loadLazyParts}>
          <LiveProvider>
            <ErrorBoundary>
              <Routes />
            </ErrorBoundary>
          </LiveProvider>
        </MenuListLoader>
      </LanguageProvider>
    </PageContext>
  )
}
