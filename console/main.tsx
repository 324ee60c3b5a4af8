/** Browser entry of the console. */
import '#ui/tokens.css'
import './console.css'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { ApiProvider } from './session/api-context.tsx'
import { ToastProvider } from './shell/toast.tsx'
import { Live } from './shell/live.tsx'
import { LanguageProvider } from './words/language.tsx'

const root = document.getElementById('console')
if (root === null) throw new Error('the document has no place for the console')

/** Shows the notice that the document keeps (page/watchdog.ts), and still reports the error. */
const fail = (error: unknown): void => {
  document.dispatchEvent(new Event('kaikei-failed'))
  reportError(error)
}

createRoot(root, { onUncaughtError: fail }).render(
  <LanguageProvider>
    <ApiProvider>
      <ToastProvider>
        <Live />
        <App />
      </ToastProvider>
    </ApiProvider>
  </LanguageProvider>,
)
