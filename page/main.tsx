import './ui/tokens.css'
import './art/favicon.svg'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createApi, merchantLabel } from './api.ts'
import { App } from './app.tsx'
import { readInitialData } from './initial-data.ts'
import { parsePath } from './address.ts'
import { loadPreview } from './preview/load.ts'
import { loadWords } from './words/load.ts'

const root = document.getElementById('page')
if (root === null) throw new Error('the document has no place for the page')

const inlined = document.getElementById('inlined')?.textContent
const beginning = readInitialData(inlined, {
  language: navigator.language,
  search: window.location.search,
  now: Date.now(),
  origin: window.location.origin,
})

/** Not at the module's top level: the preview's script imports this one, which must not be waiting for it. */
const begin = async (): Promise<void> => {
  const [words] = await Promise.all([
    loadWords(beginning.locale),
    parsePath(window.location.pathname).at === 'preview' ? loadPreview() : undefined,
  ])
  const api = createApi(merchantLabel(window.location.hostname), window.fetch.bind(window))
  const app = <App api={api} initialData={beginning} words={words} />
  // Without its data the drawn page could not be brought to life as it stands: it is drawn anew and loads the checkout.
  if (inlined === undefined || inlined === null) createRoot(root).render(app)
  else hydrateRoot(root, app)
}

void begin()
