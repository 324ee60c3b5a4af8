import { randomBytes } from 'node:crypto'
import type { Reply } from './router.ts'

/** Text that may stand in a page as it is: everything else is escaped on its way in. */
export type Html = { markup: string }

type Piece = string | number | Html | readonly Html[] | undefined

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '')

const markupOf = (piece: Piece): string => {
  if (piece === undefined) return ''
  if (typeof piece !== 'object') return escaped(String(piece))
  return 'markup' in piece ? piece.markup : piece.map(({ markup }) => markup).join('')
}

export const html = (texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html => ({
  markup: texts.reduce((markup, text, place) => markup + markupOf(pieces[place - 1]) + text),
})

export const hiddenFields = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)

/** What a page may reach: origins, or nothing. */
export type Reach = {
  formAction: readonly string[]
  frameSrc: readonly string[]
  frameAncestors: readonly string[]
}

type Page = {
  status?: number
  lang: string
  title: string
  body: Html
  style?: string
  script?: string
  reach: Reach
  headers?: Readonly<Record<string, string>>
}

const sources = (origins: readonly string[]): string =>
  origins.length === 0 ? "'none'" : [...new Set(origins)].join(' ')

const policyOf = ({ formAction, frameSrc, frameAncestors }: Reach, nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `form-action ${sources(formAction)}`,
    `frame-src ${sources(frameSrc)}`,
    `frame-ancestors ${sources(frameAncestors)}`,
    `base-uri 'none'`,
  ].join('; ')

/** Style and script are ours and hold nothing that came from outside: what differs travels in data attributes. */
export const page = ({ status = 200, lang, title, body, style = '', script = '', reach, headers }: Page): Reply => {
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
      'Content-Security-Policy': policyOf(reach, nonce),
      // The path names the transaction: the next host learns where the browser comes from and no more.
      'Referrer-Policy': 'origin',
      ...headers,
    },
  }
}
