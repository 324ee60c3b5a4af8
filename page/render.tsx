import { renderToString } from 'react-dom/server'
import type { RenderPage } from '#contract/page.ts'
import { readCheckoutAnswer } from './answers.ts'
import { createApi } from './api.ts'
import { App } from './app.tsx'
import { parsePath } from './address.ts'
import { loadPreview } from './preview/load.ts'
import { DEFAULT_COLOUR, themeCss } from './theme.ts'
import { titleOf } from './title.ts'
import { loadWords } from './words/load.ts'

/** Drawing makes no call: everything a page shows at first is in its inlined data. */
const noFetch: typeof fetch = () => Promise.reject(new Error('a page that is drawn on the server makes no calls'))

export const render: RenderPage = async (address, inlined) => {
  const words = await loadWords(inlined.locale)
  const place = parsePath(address.path)
  const preview = place.at === 'preview' ? await loadPreview() : undefined
  // Read as the browser will read it: what the two took differently would be drawn twice.
  const beginning = { ...inlined, checkout: readCheckoutAnswer(inlined.checkout) ?? null }
  const checkout = preview?.read(address.search, inlined.now, words.preview) ?? beginning.checkout
  const html = renderToString(
    <App api={createApi('', noFetch)} initialData={beginning} words={words} address={address} />,
  )
  return {
    html,
    title: titleOf(place, checkout, words),
    theme: themeCss(checkout?.merchant.setting.colorCode ?? DEFAULT_COLOUR),
  }
}
