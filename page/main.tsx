import './ui/tokens.css'
import './art/favicon.svg'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createApi, merchantLabel } from './api.ts'
import { App } from './app.tsx'
import { readInlined } from './inlined.ts'
import { loadWords } from './words/load.ts'

const root = document.getElementById('page')
if (root === null) throw new Error('the document has no place for the page')

const inlined = document.getElementById('inlined')?.textContent
const beginning = readInlined(inlined, {
  language: navigator.language,
  search: window.location.search,
  now: Date.now(),
})
const app = (
  <App
    api={createApi(merchantLabel(window.location.hostname), window.fetch.bind(window))}
    beginning={beginning}
    words={await loadWords(beginning.locale)}
  />
)

// Without its data the drawn page could not be brought to life as it stands: it is drawn anew and loads the checkout.
if (inlined === undefined || inlined === null) createRoot(root).render(app)
else hydrateRoot(root, app)
