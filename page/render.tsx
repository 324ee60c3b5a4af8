/** Server rendering: draws the page of an address as HTML, with its title, its theme and the failure notice. */
import { renderToString } from 'react-dom/server'
import type { RenderPage } from '#contract/page.ts'
import { parseCheckoutAnswer, parseShop } from './parse-answers.ts'
import { createApi } from './api.ts'
import { FailureNotice } from './error/failure-notice.tsx'
import { App } from './app.tsx'
import { parsePath } from './parse-path.ts'
import { loadLazyParts } from './load-lazy-parts.ts'
import { recordDrawn } from './recorded-jsx.ts'
import { loadPreview } from './preview/load-preview.ts'
import { DEFAULT_COLOUR, themeCss } from './theme.ts'
import { documentTitle } from './document-title.ts'
import { LanguageProvider } from './words/language-provider.tsx'
import { loadWords } from './words/load-words.ts'

/** Server rendering makes no call: everything that a page shows at first is in its inlined data. */
const noFetch: typeof fetch = () => Promise.reject(new Error('a page that is drawn on the server makes no calls'))

export const render: RenderPage = async (address, inlined) => {
  const [words] = await Promise.all([loadWords(inlined.locale), loadLazyParts()])
  const route = parsePath(address.path)
  // Parsed as the browser parses it: any difference would be a hydration mismatch.
  const facts = {
    ...inlined,
    drawnPath: address.path,
    shop: parseShop(inlined.shop) ?? null,
    preview: inlined.preview ?? { origin: '', visitorLocale: inlined.locale },
  }
  const preview = route.kind === 'preview' ? await loadPreview(facts.preview.visitorLocale) : undefined
  // Read once, for title, theme and page: long compressed texts take milliseconds.
  const previewed = preview?.parseQuery(address.search, facts, words.preview)
  const checkout = previewed ?? parseCheckoutAnswer(inlined.checkout) ?? null
  const initialData = { ...facts, checkout }
  const shop = checkout ?? facts.shop
  const { result, drawn } = recordDrawn(() => ({
    html: renderToString(
      <App api={createApi('', noFetch)} initialData={initialData} words={words} address={address} />,
    ),
    failureNotice: renderToString(
      <LanguageProvider initial={{ locale: inlined.locale, words }}>
        <FailureNotice
          title={words.broken.notLoaded}
          message={words.broken.notLoadedHelp}
          shop={previewed === undefined ? shop : facts.shop}
          replacesPage={route.kind === 'checkout' && route.screen === 'creditcard'}
        />
      </LanguageProvider>,
    ),
  }))
  return {
    ...result,
    drawn,
    title: documentTitle(route, checkout, words),
    theme: themeCss(shop?.merchant.setting.colorCode ?? DEFAULT_COLOUR),
  }
}
