/** Bridge pages: collect, watch, challenge and event, each with its Content-Security-Policy. */
import { escapeHtml } from '../escape-html.ts'
import { inlineJson, newNonce } from '../pages/document.ts'
import type { AuthenticationRecord } from '../../store/checkout/authentications.ts'
import { announce, relay, type RelaySetup } from './client-script.ts'

/** A page of the bridge with the headers it must be sent with. */
export interface BridgePage {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

interface Framing {
  readonly nonce: string
  /** Who may show this page: every ancestor must be named. */
  readonly ancestors: string
  /**
   * What this page may show: banks live anywhere, so it can only be a scheme. Null names none at all: a bank's link into
   * its own app has a scheme that nobody can list, and a policy with `frame-src` or `default-src` blocks it.
   */
  readonly frames: string | null
}

const NOTHING_ELSE = ['img', 'font', 'media', 'object', 'worker', 'manifest'].map((kind) => `${kind}-src 'none'`)

const headersOf = ({ nonce, ancestors, frames }: Framing): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    ...(frames === null ? NOTHING_ELSE : ["default-src 'none'", `frame-src ${frames}`]),
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; '),
  'permissions-policy': 'publickey-credentials-get=*, payment=*, camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
})

const draw = (nonce: string, body: string, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>3-D Secure</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<style nonce="${nonce}">html, body { margin: 0; height: 100%; } iframe { display: block; width: 100%; height: 100%; border: 0; }</style>
</head>
<body>
${body}
<script nonce="${nonce}">${script}</script>
</body>
</html>
`

/** With a plain-http base address the sandbox's bank uses http too. In production only https is allowed. */
const framedSchemes = (pageOrigin: string): string => (pageOrigin.startsWith('https:') ? 'https:' : 'https: http:')

const PASSKEYS = 'publickey-credentials-get *; payment *'

const framePage = (
  record: AuthenticationRecord,
  url: string | null,
  setup: Omit<RelaySetup, 'pageOrigin' | 'orderCode'>,
  frames: string | null = framedSchemes(record.pageOrigin),
): BridgePage => {
  const { pageOrigin, orderCode } = record
  const nonce = newNonce()
  const frame =
    url === null ? '' : `<iframe data-src="${escapeHtml(url)}" title="3-D Secure" allow="${PASSKEYS}"></iframe>`
  return {
    html: draw(nonce, frame, `(${relay.toString()})(${inlineJson({ ...setup, pageOrigin, orderCode })})`),
    headers: headersOf({ nonce, ancestors: pageOrigin, frames }),
  }
}

export const collectPage = (record: AuthenticationRecord): BridgePage =>
  framePage(record, record.collectUrl, {
    factsPath: `/collect/${record.ticket}/browser`,
    announcesItself: record.collectUrl === null,
  })

export const watchPage = (record: AuthenticationRecord): BridgePage =>
  framePage(record, record.watchUrl, { factsPath: null, announcesItself: false })

export const challengePage = (record: AuthenticationRecord, url: string): BridgePage =>
  framePage(record, url, { factsPath: null, announcesItself: false }, null)

/** What a provider's form post is answered with: a page inside the bridge's frame that tells the bridge of the event. */
export const eventPage = ({ pageOrigin }: Pick<AuthenticationRecord, 'pageOrigin'>, event: string): BridgePage => {
  const nonce = newNonce()
  return {
    html: draw(nonce, '', `(${announce.toString()})(${inlineJson({ event })})`),
    headers: headersOf({ nonce, ancestors: `'self' ${pageOrigin}`, frames: "'none'" }),
  }
}
