import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useLocation, useRouter } from 'wouter'
import { useSearch as useBrowserSearch } from 'wouter/use-browser-location'
import { isScreenForStatus, screenForStatus, type Screen } from '#contract/screens.ts'
import type { PageCheckout } from './answers.ts'
import { CallFailed } from './api.ts'
import { CardPage } from './card/card-page.tsx'
import { useCheckout } from './checkout/use-checkout.ts'
import { useCheckoutLanguage } from './checkout/use-checkout-language.ts'
import { useDeadline } from './checkout/use-deadline.ts'
import { CompletePage } from './complete/complete-page.tsx'
import { ErrorPage, NotFoundPage, NotLoadedPage, ServerErrorPage } from './error/error-page.tsx'
import { useInitialData } from './page-context.ts'
import { parsePath, type PageAddressed } from './address.ts'
import { loadedPreview } from './preview/load.ts'
import { wayBack } from './way-back.ts'
import { themeOf } from './theme.ts'
import { titleOf } from './title.ts'
import { Spinner } from './ui/spinner.tsx'
import { useLanguage } from './words/language.tsx'

/** wouter's own hook decodes the query once more than it was encoded: `%2541` would arrive as `A`. */
const useRawSearch = (): string => {
  const { ssrSearch } = useRouter()
  return useBrowserSearch(ssrSearch === undefined ? {} : { ssrSearch }).replace(/^\?/, '')
}

/** Replaces the address and keeps its query: `mode=test` and `locale` belong to the whole visit. */
const Go = ({ to, back }: { readonly to: string; readonly back?: string }) => {
  const [, navigate] = useLocation()
  const search = useRawSearch()
  useLayoutEffect(() => {
    const query = search === '' ? '' : `?${search}`
    navigate(to + query, { replace: true, ...(back === undefined ? {} : { state: wayBack(back + query) }) })
  }, [navigate, to, back, search])
  return null
}

const Title = ({ place, checkout }: { readonly place: PageAddressed; readonly checkout: PageCheckout | null }) => {
  const { words } = useLanguage()
  const title = titleOf(place, checkout, words)
  useEffect(() => {
    document.title = title
  }, [title])
  return null
}

/** The server has put these into the document; they are set again where the checkout came by a call. */
const useTheme = (colourCode: string): void => {
  useLayoutEffect(() => {
    for (const [name, value] of Object.entries(themeOf(colourCode))) {
      document.documentElement.style.setProperty(name, value)
    }
  }, [colourCode])
}

interface ScreenProps {
  readonly checkout: PageCheckout
  /** Told while a payment is under way here: whatever is read meanwhile, this screen says how it ended. */
  readonly onPaying: (isPaying: boolean) => void
}

const pages: Record<Screen, (props: ScreenProps) => React.JSX.Element> = {
  creditcard: CardPage,
  complete: CompletePage,
  error: ErrorPage,
}

interface LoadedCheckoutProps {
  readonly place: Extract<PageAddressed, { at: 'checkout' }>
  readonly checkout: PageCheckout
  readonly read: () => void
}

const LoadedCheckout = ({ place, checkout, read }: LoadedCheckoutProps) => {
  const [isPaying, setPaying] = useState(false)
  useDeadline(checkout, read)
  useCheckoutLanguage(checkout)
  useTheme(checkout.merchant.setting.colorCode)
  if (place.screen === 'root') return <Go to={`/${place.checkoutId}/${screenForStatus(checkout.status)}`} />
  // A reading that says paid while the pay call is out must not cost the shopper the way back to the shop.
  if (!isPaying && !isScreenForStatus(place.screen, checkout.status)) return <Go to={`/${place.checkoutId}`} />
  const Page = pages[place.screen]
  return (
    <>
      <Title place={place} checkout={checkout} />
      <Page checkout={checkout} onPaying={setPaying} />
    </>
  )
}

/** Why loading failed decides where the shopper goes: gone, broken, or worth another try. */
const lostPlace = (error: Error): '/404' | '/500' | 'here' => {
  if (!(error instanceof CallFailed)) return 'here'
  const { failure } = error
  if (failure.kind === 'final' || failure.code === 404) return '/404'
  return typeof failure.code === 'number' && failure.code >= 500 ? '/500' : 'here'
}

const CheckoutArea = ({ place }: { readonly place: Extract<PageAddressed, { at: 'checkout' }> }) => {
  const { words } = useLanguage()
  const { data, error, refetch } = useCheckout(place.checkoutId)
  const read = useCallback(() => void refetch(), [refetch])
  if (data !== undefined) return <LoadedCheckout place={place} checkout={data} read={read} />
  if (error === null) return <Spinner label={words.error.loading} />
  const lost = lostPlace(error)
  return lost === 'here' ? <NotLoadedPage onTryAgain={read} /> : <Go to={lost} back={`/${place.checkoutId}`} />
}

interface PreviewAreaProps {
  readonly place: Extract<PageAddressed, { at: 'preview' }>
  readonly preview: NonNullable<ReturnType<typeof loadedPreview>>
}

const PreviewArea = ({ place, preview: { read, Page } }: PreviewAreaProps) => {
  const { words } = useLanguage()
  const { now } = useInitialData()
  const search = useRawSearch()
  const checkout = useMemo(() => read(search, now, words.preview), [read, search, now, words])
  useTheme(checkout.merchant.setting.colorCode)
  return (
    <>
      <Title place={place} checkout={checkout} />
      <Page checkout={checkout} />
    </>
  )
}

export const Routes = () => {
  const [path] = useLocation()
  const place = parsePath(path)
  if (place.at === 'checkout') return <CheckoutArea key={place.checkoutId} place={place} />
  const preview = loadedPreview()
  if (place.at === 'preview' && preview !== undefined) return <PreviewArea place={place} preview={preview} />
  return (
    <>
      <Title place={place} checkout={null} />
      {place.at === 'server-error' ? <ServerErrorPage /> : <NotFoundPage />}
    </>
  )
}
