/** Routes: which screen a path shows, and where a checkout's status redirects to. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { isScreenForStatus, screenForStatus } from '#contract/screens.ts'
import type { PageCheckout } from './parse-answers.ts'
import { CallFailed } from './api.ts'
import { CardPage } from './card/card-page.tsx'
import { useCheckout } from './checkout/use-checkout.ts'
import { useCheckoutLanguage } from './checkout/use-checkout-language.ts'
import { useReadAtDeadline } from './checkout/use-read-at-deadline.ts'
import { loadLazyParts, useLazyParts, type LazyParts } from './load-lazy-parts.ts'
import { replaceAddress, usePath, useSearch } from './location.ts'
import { useInitialData } from './page-context.ts'
import { parsePath, type PageRoute } from './parse-path.ts'
import { loadedPreview } from './preview/load-preview.ts'
import { returnPathState } from './return-path.ts'
import { documentTitle } from './document-title.ts'
import { Spinner } from '#ui/spinner.tsx'
import { useLanguage } from './words/language-provider.tsx'

/** Replaces the path and keeps the query: `mode=test` and `locale` belong to the whole visit. */
const Redirect = ({ to, returnPath }: { readonly to: string; readonly returnPath?: string }) => {
  const search = useSearch()
  useLayoutEffect(() => {
    const query = search === '' ? '' : `?${search}`
    replaceAddress(to + query, returnPath === undefined ? null : returnPathState(returnPath + query))
  }, [to, returnPath, search])
  return null
}

const DocumentTitle = ({ route, checkout }: { readonly route: PageRoute; readonly checkout: PageCheckout | null }) => {
  const { words } = useLanguage()
  const title = documentTitle(route, checkout, words)
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}

/** The server has put the theme into the document; it is set anew where another colour was fetched. */
const useTheme = (colourCode: string): void => {
  const { checkout: inlined } = useInitialData()
  const drawn = inlined?.merchant.setting.colorCode
  useEffect(() => {
    const setTheme = ({ themeOf }: LazyParts): void => {
      for (const [name, value] of Object.entries(themeOf(colourCode))) {
        document.documentElement.style.setProperty(name, value)
      }
    }
    // Without it the page has a neutral colour, and works.
    if (colourCode !== drawn) loadLazyParts().then(setTheme, () => undefined)
  }, [colourCode, drawn])
}

/** The screens that come with the lazy parts, and a spinner until those are there. */
const LazyScreen = ({ renderScreen }: { readonly renderScreen: (parts: LazyParts) => React.JSX.Element }) => {
  const { words } = useLanguage()
  const parts = useLazyParts(true)
  return parts === undefined ? <Spinner label={words.error.loading} /> : renderScreen(parts)
}

interface LoadedCheckoutProps {
  readonly route: Extract<PageRoute, { kind: 'checkout' }>
  readonly checkout: PageCheckout
  readonly read: () => void
}

const LoadedCheckout = ({ route, checkout, read }: LoadedCheckoutProps) => {
  // Whether a payment is in progress here: meanwhile no reading may redirect, because this screen shows the outcome.
  const [isPaying, setPaying] = useState(false)
  useReadAtDeadline(checkout, read)
  useCheckoutLanguage(checkout)
  useTheme(checkout.merchant.setting.colorCode)
  if (route.screen === 'root') return <Redirect to={`/${route.checkoutId}/${screenForStatus(checkout.status)}`} />
  // A reading that says paid while the pay call is in flight must not cost the shopper the redirect to the shop.
  if (!isPaying && !isScreenForStatus(route.screen, checkout.status)) return <Redirect to={`/${route.checkoutId}`} />
  return (
    <>
      <DocumentTitle route={route} checkout={checkout} />
      {route.screen === 'creditcard' ? (
        <CardPage checkout={checkout} onPaying={setPaying} />
      ) : (
        <LazyScreen
          renderScreen={({ CompletePage, ErrorPage }) =>
            route.screen === 'complete' ? <CompletePage checkout={checkout} /> : <ErrorPage checkout={checkout} />
          }
        />
      )}
    </>
  )
}

/** Where the shopper goes when the checkout cannot be loaded: not found, server error, or a retry on this page. */
const destinationAfterLoadError = (error: Error): '/404' | '/500' | 'retry after refusal' | 'retry' => {
  if (!(error instanceof CallFailed)) return 'retry'
  const { failure } = error
  if (failure.kind === 'final' || failure.code === 404) return '/404'
  if (failure.code === 'network_error') return 'retry'
  return failure.code >= 500 ? '/500' : 'retry after refusal'
}

const CheckoutArea = ({ route }: { readonly route: Extract<PageRoute, { kind: 'checkout' }> }) => {
  const { words } = useLanguage()
  const { data, error, refetch: read } = useCheckout(route.checkoutId)
  if (data !== undefined) return <LoadedCheckout route={route} checkout={data} read={read} />
  if (error === null) return <Spinner label={words.error.loading} />
  const destination = destinationAfterLoadError(error)
  if (destination === 'retry' || destination === 'retry after refusal')
    return (
      <LazyScreen
        renderScreen={({ NotLoadedPage }) => (
          <NotLoadedPage isAnswered={destination === 'retry after refusal'} onTryAgain={read} />
        )}
      />
    )
  return <Redirect to={destination} returnPath={`/${route.checkoutId}`} />
}

interface PreviewAreaProps {
  readonly route: Extract<PageRoute, { kind: 'preview' }>
  readonly preview: NonNullable<ReturnType<typeof loadedPreview>>
}

const PreviewArea = ({ route, preview: { parseQuery, Page } }: PreviewAreaProps) => {
  const { words } = useLanguage()
  const initialData = useInitialData()
  const search = useSearch()
  const checkout = useMemo(
    () => initialData.checkout ?? parseQuery(search, initialData, words.preview),
    [parseQuery, search, initialData, words],
  )
  useTheme(checkout.merchant.setting.colorCode)
  return (
    <>
      <DocumentTitle route={route} checkout={checkout} />
      <Page checkout={checkout} />
    </>
  )
}

export const Routes = () => {
  const path = usePath()
  const { drawnPath } = useInitialData()
  const [openedAt] = useState(path)
  // Until the page itself goes elsewhere it shows what the server has drawn, whatever the address says.
  const route = parsePath(path === openedAt ? drawnPath : path)
  if (route.kind === 'checkout') return <CheckoutArea key={route.checkoutId} route={route} />
  const preview = loadedPreview()
  if (route.kind === 'preview' && preview !== undefined) return <PreviewArea route={route} preview={preview} />
  return (
    <>
      <DocumentTitle route={route} checkout={null} />
      <LazyScreen
        renderScreen={({ NotFoundPage, ServerErrorPage }) =>
          route.kind === 'server-error' ? <ServerErrorPage /> : <NotFoundPage />
        }
      />
    </>
  )
}
