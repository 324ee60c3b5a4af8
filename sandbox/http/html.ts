/** HTML pages of the sandbox: values are escaped, and the policy of a page allows nothing that it does not name. */
import { randomBytes } from 'node:crypto'
import type { Reply } from './router.ts'

/** Escaped HTML: text that may be put into a page as it is. Every other value is escaped on its way in. */
export interface Html {
  readonly markup: string
}

type HtmlValue = string | number | Html | readonly Html[] | undefined

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => htmlEntities[character] ?? '')

const markupOf = (value: HtmlValue): string => {
  if (value === undefined) return ''
  if (typeof value !== 'object') return escapeHtml(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  markup: strings.reduce((markup, text, index) => markup + markupOf(values[index - 1]) + text),
})

export const hiddenFields = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** Origins that the Content-Security-Policy of a page allows; none where they are left out. */
interface CspOrigins {
  readonly formAction?: readonly string[]
  readonly frameSrc?: readonly string[]
  readonly frameAncestors?: readonly string[]
}

export interface PageContent {
  readonly status?: number
  /** Left out: English. */
  readonly lang?: string
  readonly title: string
  readonly body: Html
  readonly style?: string
  readonly script?: string
  readonly csp: CspOrigins
  readonly headers?: Readonly<Record<string, string>>
}

const cspSources = (origins: readonly string[] = []): string =>
  origins.length === 0 ? "'none'" : [...new Set(origins)].join(' ')

const contentSecurityPolicy = ({ formAction, frameSrc, frameAncestors }: CspOrigins, nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `form-action ${cspSources(formAction)}`,
    `frame-src ${cspSources(frameSrc)}`,
    `frame-ancestors ${cspSources(frameAncestors)}`,
    `base-uri 'none'`,
  ].join('; ')

/** Page scripts: post the page's one form, at once or after the wait that the form names. */
export const SUBMIT_SCRIPT = `document.querySelector('form').submit()`
const SUBMIT_AFTER_WAIT_SCRIPT = `const form = document.querySelector('form'); setTimeout(() => form.submit(), Number(form.dataset.waitMs))`

/** Style and script are ours and hold nothing that came from outside: what differs is put into data attributes. */
export const htmlPage = ({
  status = 200,
  lang = 'en',
  title,
  body,
  style = '',
  script = '',
  csp,
  headers,
}: PageContent): Reply => {
  const nonce = randomBytes(16).toString('base64')
  const styles: Html = style === '' ? html`` : { markup: `<style nonce="${nonce}">${style}</style>` }
  const scripts: Html = script === '' ? html`` : { markup: `<script nonce="${nonce}">${script}</script>` }
  const { markup } = html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styles}
      </head>
      <body>
        ${body} ${scripts}
      </body>
    </html>`
  return {
    kind: 'html',
    status,
    markup,
    headers: {
      // A program that plays the browser in a test asks for it before it submits anything.
      'Kaikei-Sandbox': '1',
      'Content-Security-Policy': contentSecurityPolicy(csp, nonce),
      // The path names the transaction: the next host learns where the browser comes from and no more.
      'Referrer-Policy': 'origin',
      ...headers,
    },
  }
}

interface PostingPage extends Pick<PageContent, 'title' | 'csp'> {
  readonly action: string
  readonly fields?: Readonly<Record<string, string>>
  /** How long the page waits before it posts; null: it never does. Left out: it posts at once. */
  readonly waitMs?: number | null
}

/** Page that posts its one form by itself, or by a button where no script runs. */
export const postingPage = ({ title, csp, action, fields = {}, waitMs = 0 }: PostingPage): Reply =>
  htmlPage({
    title,
    csp,
    body: html`<main>
      <form method="post" action="${action}" data-wait-ms="${waitMs ?? ''}">
        ${hiddenFields(fields)}
        <noscript><button>Continue</button></noscript>
      </form>
    </main>`,
    script: waitMs === null ? '' : waitMs === 0 ? SUBMIT_SCRIPT : SUBMIT_AFTER_WAIT_SCRIPT,
  })
