/**
 * Browser entry: hydrates the document that the server drew. Not at the module's top level: the preview's script imports
 * this module, so this module must not wait for it.
 */
import '#ui/tokens.css'
import './art/favicon.svg'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { beginsWithCardForm } from '#contract/screens.ts'
import { createApi, merchantLabel } from './api.ts'
import { App } from './app.tsx'
import { parseInitialData } from './initial-data.ts'
import { fetchLazyPartsWhenIdle, loadLazyParts } from './load-lazy-parts.ts'
import { parsePath } from './parse-path.ts'
import { loadPreview } from './preview/load-preview.ts'
import { loadWords } from './words/load-words.ts'

const root = document.getElementById('page')
if (root === null) throw new Error('the document has no place for the page')

const inlined = document.getElementById('inlined')?.textContent
const initialData = parseInitialData(inlined, {
  language: navigator.language,
  path: window.location.pathname,
  search: window.location.search,
  now: Date.now(),
  origin: window.location.origin,
})

const start = async (): Promise<void> => {
  const [words] = await Promise.all([
    loadWords(initialData.locale),
    // Hydration cannot wait for the script of a screen.
    beginsWithCardForm(initialData.drawnPath, initialData.checkout) ? undefined : loadLazyParts(),
    parsePath(initialData.drawnPath).kind === 'preview' ? loadPreview(initialData.preview.visitorLocale) : undefined,
  ])
  const api = createApi(merchantLabel(window.location.hostname), window.fetch.bind(window))
  const app = <App api={api} initialData={initialData} words={words} />
  // Without its inlined data the drawn page cannot be hydrated: it is rendered anew and fetches the checkout.
  if (inlined === undefined || inlined === null) createRoot(root, { onUncaughtError: fail }).render(app)
  // As a transition React hydrates in slices: in one piece it would keep a slow phone from taking a key meanwhile.
  else startTransition(() => void hydrateRoot(root, app, { onUncaughtError: fail }))
}

/** Shows the notice that `watchdog.ts` keeps, and still reports the error. */
const fail = (error: unknown): void => {
  document.dispatchEvent(new Event('kaikei-failed'))
  reportError(error)
}

document.addEventListener('kaikei-live', fetchLazyPartsWhenIdle, { once: true })
start().catch(fail)
